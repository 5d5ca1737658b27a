import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePages, defaultCodePage } from '../../src/fat/code-pages';
import { editCommands } from '../../src/protocol/edit-requests';
import { inspectorCommands } from '../../src/protocol/requests';

const root = resolve(import.meta.dirname, '../..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');

interface MenuItem {
  readonly command: string;
  readonly when?: string;
}
interface Manifest {
  readonly icon: string;
  readonly main: string;
  readonly contributes: {
    readonly customEditors: {
      readonly viewType: string;
      readonly selector: { readonly filenamePattern: string }[];
      readonly priority: string;
    }[];
    readonly commands: {
      readonly command: string;
      readonly title: string;
      readonly category: string;
      readonly icon: string;
      readonly enablement?: string;
    }[];
    readonly keybindings: MenuItem[];
    readonly menus: Record<string, MenuItem[]>;
    readonly configuration: {
      readonly properties: {
        readonly 'fsimg.undoLimit': { readonly default: number };
        readonly 'fsimg.codePage': { readonly enum: number[]; readonly default: number };
      };
    };
    readonly walkthroughs: {
      readonly steps: {
        readonly description: string;
        readonly media: { readonly markdown: string };
        readonly completionEvents: string[];
      }[];
    }[];
  };
}

const manifest = JSON.parse(text('package.json')) as Manifest;
const words = JSON.parse(text('package.nls.json')) as Record<string, string>;
const { commands, customEditors, keybindings, menus, walkthroughs } = manifest.contributes;
const sources = readdirSync(join(root, 'src/extension'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => text(join('src/extension', file)))
  .join('\n');

const contextKeys = [
  'fsimg.view',
  'fsimg.selectionType',
  'fsimg.selectionEntry',
  'fsimg.selectionDeleted',
  'fsimg.selectionBytes',
  'fsimg.writable',
  'fsimg.imageWritable',
];

describe('commands', () => {
  const ids = commands.map(({ command }) => command);

  it('are those that the extension registers', () => {
    expect(ids.sort()).toEqual(['fsimg.openWithInspector', ...inspectorCommands].sort());
  });

  it('stand in one category, each with a title and an icon', () => {
    for (const { title, category, icon } of commands) {
      expect(category).toBe('%category%');
      expect(title).toMatch(/^%command\.\w+%$/);
      expect(icon).toMatch(/^\$\([a-z-]+\)$/);
    }
    expect(new Set(commands.map(({ title }) => title)).size).toBe(commands.length);
  });

  it('are what menus and keys lead to', () => {
    const used = [...Object.values(menus).flat(), ...keybindings].map(({ command }) => command);
    for (const command of used) expect(ids).toContain(command);
  });

  it('are enabled in an inspector alone, but for the one that opens it', () => {
    for (const { command, enablement } of commands) {
      if (command === 'fsimg.openWithInspector') expect(enablement).toBeUndefined();
      else expect(enablement).toContain('activeCustomEditorId =~ /^fsimg\\.inspector/');
    }
  });

  it('stand in the menus of inspectors alone', () => {
    for (const { when } of menus['webview/context']) {
      expect(when).toMatch(/^webviewId =~ \/\^fsimg\\\.inspector\/( |$)/);
    }
  });

  it('that change an image are offered where it can be changed alone', () => {
    const changing = (command: string) => editCommands.some((name) => name === command);
    const items = [...commands, ...menus['webview/context'], ...keybindings]
      .filter(({ command }) => changing(command))
      .map((item) => ('enablement' in item ? item.enablement : (item as MenuItem).when));
    expect(items.length).toBeGreaterThanOrEqual(2 * editCommands.length);
    for (const condition of items) expect(condition).toMatch(/fsimg\.(image)?[Ww]ritable/);
  });

  it('depend on a context key that is set', () => {
    const conditions = commands.map(({ enablement }) => enablement ?? '').join(' ');
    for (const key of contextKeys) {
      expect(conditions).toContain(key);
      expect(sources).toContain(`'setContext', '${key}'`);
    }
  });
});

describe('words', () => {
  const keys = [...text('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);

  it('are there for every key, and none is left over', () => {
    expect([...new Set(keys)].sort()).toEqual(Object.keys(words).sort());
  });

  it('end with an ellipsis where a command asks for more', () => {
    const asking = Object.entries(words).filter(([, word]) => word.endsWith('…'));
    expect(asking.map(([key]) => key)).toEqual(
      [
        ...[
          'goTo',
          'export',
          'exportChecks',
          'preallocate',
          'trim',
          'import',
          'newFile',
          'newFolder',
        ],
        ...['newSymlink', 'newLink', 'rename', 'move', 'resize', 'editAttributes', 'editLabel'],
      ].map((name) => `command.${name}`),
    );
  });
});

describe('editors', () => {
  /** As VS Code matches a pattern without a slash: with the file's name, in lower case. */
  const matches = (pattern: string, name: string) => {
    const expression = pattern.replace(/[.]/g, '\\.').replace(/\[!/g, '[^').replace(/\*/g, '.*');
    return new RegExp(`^${expression}$`, 's').test(name.toLowerCase());
  };
  const editorsOf = (name: string) =>
    customEditors
      .filter(({ selector }) =>
        selector.some(({ filenamePattern }) => matches(filenamePattern, name)),
      )
      .map(({ priority }) => priority);

  it.each(['disk.img', 'DISK.IMG', '.img', 'a.b.img', 'ñ 1.img'])('open %s by default', (name) => {
    expect(editorsOf(name)).toEqual(['default']);
  });

  it.each(['disk', 'g', 'mg', 'img', 'aimg', 'a.mg', 'a.xmg', 'a.imgx', 'x.png', 'disk.dd', 'ä'])(
    'can open %s',
    (name) => {
      expect(editorsOf(name)).toEqual(['option']);
    },
  );

  it('offer themselves once for any name', () => {
    const ending = fc.stringMatching(/^[.img]{0,5}$/);
    fc.assert(
      fc.property(fc.string(), ending, (start, end) => {
        fc.pre(start + end !== '');
        expect(editorsOf(start + end)).toHaveLength(1);
      }),
    );
  });

  it('are those that the extension registers', () => {
    for (const { viewType } of customEditors) expect(sources).toContain(`'${viewType}'`);
  });
});

describe('files', () => {
  it('that the manifest names are there', () => {
    const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    for (const file of [manifest.icon, ...steps.map(({ media }) => media.markdown)]) {
      expect(existsSync(join(root, file)), file).toBe(true);
    }
  });

  it('are what the walkthrough leads to', () => {
    const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    for (const event of steps.flatMap(({ completionEvents }) => completionEvents)) {
      expect(event).toMatch(/^on(Command|Context):fsimg\.\w+$/);
    }
  });
});

it('offers the code pages that the engine knows', () => {
  const manifest = JSON.parse(text('package.json')) as Manifest;
  const setting = manifest.contributes.configuration.properties['fsimg.codePage'];
  expect(setting.enum).toEqual([...codePages]);
  expect(setting.default).toBe(defaultCodePage);
});

it('keeps a bounded number of bytes for undo', () => {
  const { properties } = manifest.contributes.configuration;
  expect(properties['fsimg.undoLimit']).toMatchObject({ type: 'number', minimum: 0 });
  expect(properties['fsimg.undoLimit'].default).toBe(1024);
});
