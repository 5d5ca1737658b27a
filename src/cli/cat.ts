import { imageCommand, withVolume, type ImageOptions, type Verb } from './context';

export const cat: Verb = (program, { output, note }) => {
  imageCommand(program, 'cat', 'print the content of a file')
    .argument('<path>', 'absolute path inside the image; symlinks are followed')
    .action((image: string, path: string, options: ImageOptions) =>
      withVolume(image, options, async (volume) => {
        const file = volume.file(path);
        for (const chunk of volume.chunks(file)) await output.bytes(chunk);
        for (const { message } of volume.content(file).problems) note(`${path}: ${message}`);
      }),
    );
};
