/**
 * Loaded before programs of Node: stops the clock of the engine, behind the editor and behind the
 * command line. What both do can then be compared with all the times that they stamp.
 */
const { isMainThread } = require('node:worker_threads');

/** Behind the editor it has a thread of its own. */
const isEngine = !isMainThread || /[\\/]cli\.js$/.test(process.argv[1] ?? '');
if (isEngine) Date.now = () => 1_700_000_000_000;
