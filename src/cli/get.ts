import { documentCommand, requireWhole, withVolume, type ImageOptions, type Verb } from './context';
import { count, printJson } from './print';

export const get: Verb = (program, streams) => {
  const { output, note } = streams;
  documentCommand(program, 'get', 'copy a file, or a directory and all below it, to the host')
    .argument('<path>', 'absolute path inside the image; symlinks are followed')
    .argument('<host>', 'what to write; in a folder that exists it keeps its name')
    .action((image: string, path: string, host: string, options: ImageOptions) =>
      withVolume(image, options, async (volume) => {
        const report = volume.exportPath(path, host);
        if (options.json) {
          await printJson(output, report);
        } else {
          const parts = [
            count(report.files, 'file'),
            count(report.directories, 'directory', 'directories'),
            count(report.symlinks, 'symlink'),
          ];
          await output.line(`${parts.join(', ')}, ${count(report.bytes, 'byte')}`);
          await output.flush();
          for (const line of report.notes) note(line);
        }
        await requireWhole(streams, report.leftOut);
      }),
    );
};
