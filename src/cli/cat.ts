import { volumeCommand, withVolume, type VolumeOptions, type Verb } from './context';

export const cat: Verb = (program, { output, note }) => {
  volumeCommand(program, 'cat', 'print the content of a file')
    .argument('<path>', 'absolute path inside the image; symlinks are followed')
    .action((image: string, path: string, options: VolumeOptions) =>
      withVolume(image, options, async (volume) => {
        const file = volume.file(path);
        for (const chunk of volume.chunks(file)) await output.bytes(chunk);
        for (const { message } of volume.content(file).problems) note(`${path}: ${message}`);
      }),
    );
};
