/** What the benchmark of preallocation needs of the engine, as one module. */
export { CodePage } from '../../src/fat/code-pages';
export { openFatEditor } from '../../src/fat/edit/editing';
export { noProgress } from '../../src/filesystem/progress';
export { WritableVolume } from '../../src/image/bytes';
export { FileBytes } from '../../src/image/file-bytes';
export { EditedImage } from '../../src/image/edited-image';
