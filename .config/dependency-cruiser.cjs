// The import rules of docs/architecture.md, as a check. Nothing imports upwards.
const layers = {
  text: [],
  image: [],
  filesystem: ['image'],
  volume: ['filesystem', 'image'],
  fat: ['filesystem', 'image'],
  ext: ['filesystem', 'image'],
  session: ['fat', 'ext', 'filesystem', 'volume', 'image', 'text'],
  protocol: ['session', 'filesystem', 'text'],
  worker: ['session', 'protocol', 'filesystem', 'image'],
  cli: ['session', 'protocol', 'filesystem', 'image'],
  extension: ['protocol', 'worker'],
};
const extensionFolders = {
  shared: [],
  guards: [],
  checks: ['shared'],
  image: ['checks', 'shared'],
  content: ['image', 'shared'],
  editor: ['guards', 'image', 'shared'],
  commands: ['guards', 'image', 'content', 'editor', 'shared'],
};
const typesOnly = ['session', 'filesystem'];

const layerRules = Object.entries(layers).map(([layer, below]) => ({
  name: `${layer}-imports-only-what-is-below`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: '^(src|webview)/', pathNot: `^src/(${[layer, ...below].join('|')})/` },
}));

const extensionRules = Object.entries(extensionFolders).map(([folder, below]) => ({
  name: `extension-${folder}-imports-only-what-is-below`,
  severity: 'error',
  from: { path: `^src/extension/${folder}/` },
  to: {
    path: '^src/extension/',
    pathNot: `^src/extension/(${[folder, ...below].join('|')})/`,
  },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    ...extensionRules,
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'protocol-takes-only-types-from-the-engine',
      severity: 'error',
      from: { path: '^src/protocol/' },
      to: { path: `^src/(${typesOnly.join('|')})/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'extension-meets-the-worker-through-its-client',
      severity: 'error',
      from: { path: '^src/extension/' },
      to: { path: '^src/worker/', pathNot: '^src/worker/client\\.ts$' },
    },
    {
      name: 'webview-imports-only-the-protocol',
      severity: 'error',
      from: { path: '^webview/' },
      to: { path: '^src/', pathNot: '^src/protocol/' },
    },
    {
      name: 'only-the-extension-says-vscode',
      severity: 'error',
      from: { pathNot: '^src/extension/' },
      to: { path: '^vscode$' },
    },
    {
      name: 'only-image-touches-the-host-files',
      severity: 'error',
      from: { path: '^src/(volume|filesystem|fat|ext|session|protocol|worker|cli)/' },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'only-one-file-knows-the-toolkit',
      severity: 'error',
      from: { pathNot: '^webview/toolkit\\.ts$' },
      to: { path: '@vscode/webview-ui-toolkit' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
};
