import { editCommand, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';

export const label: Verb = (program, streams) => {
  editCommand(program, 'label', 'set the label of a volume')
    .argument('<label>', 'the new label; empty for none')
    .action(async (image: string, text: string, options: ImageOptions) => {
      await changeImage(streams, image, options, (volume) => {
        return { kind: 'label', volume, label: text };
      });
    });
};
