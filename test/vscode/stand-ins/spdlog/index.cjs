const fs = require('node:fs');
const path = require('node:path');

// In the order of spdlog's own numbers, which VS Code passes to setLevel; 6 turns the logger off.
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

const nothing = () => undefined;

class Logger {
  #file;
  #level = levels.indexOf('info');
  #formatted = true;

  constructor(file) {
    this.#file = file;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    levels.forEach((name, level) => {
      this[name] = (message) => this.#write(level, name, message);
    });
  }

  #write(level, name, message) {
    if (level < this.#level) return;
    const text = this.#formatted ? `${new Date().toISOString()} [${name}] ${message}\n` : message;
    try {
      fs.appendFileSync(this.#file, text);
    } catch {
      // The log folder goes away while a host is being cleared up; a lost line does no harm then.
    }
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  clearFormatters() {
    this.#formatted = false;
  }

  // Every line is on disk when its call returns, so there is nothing to flush or to drop.
  setPattern = nothing;
  flush = nothing;
  drop = nothing;
}

exports.version = 0;
exports.setLevel = nothing;
exports.setFlushOn = nothing;
exports.shutdown = nothing;
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => new Logger(file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
