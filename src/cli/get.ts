import { volumeCommand, withVolume, type VolumeOptions, type Verb } from './context';
import { count, printable, printJson } from './print';

export const get: Verb = (program, { output }) => {
  volumeCommand(program, 'get', 'copy a file, or a directory and all below it, to the host')
    .argument('<path>', 'absolute path inside the image; symlinks are followed')
    .argument('<host>', 'what to write; in a folder that exists it keeps its name')
    .action((image: string, path: string, host: string, options: VolumeOptions) =>
      withVolume(image, options, async (volume) => {
        const report = volume.exportPath(path, host);
        if (options.json) {
          await printJson(output, report);
          return;
        }
        const parts = [
          count(report.files, 'file'),
          count(report.directories, 'directory', 'directories'),
          count(report.symlinks, 'symlink'),
        ];
        await output.line(`${parts.join(', ')}, ${report.bytes} bytes`);
        for (const note of report.notes) await output.line(`note: ${printable(note)}`);
      }),
    );
};
