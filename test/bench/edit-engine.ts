/** What the benchmarks of changes need of the engine, as one module. */
export { ExtEditor } from '../../src/ext/edit/ext-editor';
export { openExt } from '../../src/ext/ext-filesystem';
export { CodePage } from '../../src/fat/code-pages';
export { openFatEditor } from '../../src/fat/edit/editing';
export { noProgress } from '../../src/filesystem/progress';
export { VolumeBytes, WritableVolume } from '../../src/image/bytes';
export { EditedImage } from '../../src/image/edited-image';
export { FileBytes } from '../../src/image/file-bytes';
