import { InvalidArgumentError, Option } from 'commander';
import { allocationPolicies, type AllocationPolicy } from '../filesystem/allocation';
import type { AllocationPlan } from '../filesystem/editing';
import type { HostOperation } from '../session/operations';
import { formatSize } from '../protocol/sizes';
import { editCommand, type ImageOptions, type Verb } from './context';
import { editImage, planEdit, type Ask } from './edit';
import { formatExtents } from './ls';
import { count, printJson } from './print';
import { parseSize } from './sizes';

interface PreallocateOptions extends ImageOptions {
  readonly offset: number;
  readonly keepSize?: boolean;
  readonly zero?: boolean;
  readonly policy: AllocationPolicy;
  readonly plan?: boolean;
}

export const preallocate: Verb = (program, { output, note }) => {
  editCommand(program, 'preallocate', 'give a file room for bytes that are written later')
    .argument('<path>', 'absolute path of a file inside the image; symlinks are followed')
    .argument('<length>', 'number of bytes that shall have room: 4096, 64K, 1GiB', parseLength)
    .option('--offset <n>', 'where in the file they start', parseSize, 0)
    .option(
      '--keep-size',
      'room beyond the end of the file, whose size stays; not with block pointers',
    )
    .option('--zero', 'zero that room too, also where it would only be marked as unwritten')
    .addOption(
      new Option(
        '--policy <name>',
        'where room is taken: behind the file and else in as few pieces as can be, at the first ' +
          'places, or at the next ones after those taken last',
      )
        .choices([...allocationPolicies])
        .default('contiguous'),
    )
    .option('--plan', 'tell what would be taken, and change nothing')
    .action(async (image: string, path: string, length: number, options: PreallocateOptions) => {
      const { offset, keepSize = false, zero = false, policy } = options;
      const request = { offset, length, keepSize, zero };
      let unit = '';
      const ask: Ask<HostOperation> = (volume, opened) => {
        unit = opened.fileSystem.unit.name;
        return { kind: 'preallocate', volume, node: opened.file(path), request, policy };
      };
      const { allocation, notes } = options.plan
        ? await planEdit(image, options, ask)
        : await doneOf(image, options, ask);
      if (!allocation) return;
      const { extents, fragments, allocatedUnits, metadataWrites, bytesZeroed } = allocation;
      if (options.json) {
        const figures = { extents, fragments, allocatedUnits, metadataWrites, bytesZeroed };
        await printJson(output, { ...figures, ...(notes.length > 0 && { notes }) });
        return;
      }
      await output.line(describe(allocation, unit));
      await output.line(`extents ${formatExtents(extents)}`);
      await output.flush();
      for (const sentence of notes) note(sentence);
    });
};

function parseLength(text: string): number {
  const length = parseSize(text);
  if (length > 0) return length;
  throw new InvalidArgumentError('It must be at least one byte.');
}

async function doneOf(image: string, options: PreallocateOptions, ask: Ask) {
  const { edit, notes } = await editImage(image, options, ask);
  return { allocation: edit?.allocation, notes };
}

function describe(plan: AllocationPlan, unit: string): string {
  const { allocatedUnits, fragments, metadataWrites, bytesZeroed } = plan;
  const parts = [
    count(allocatedUnits, unit),
    `the file in ${count(fragments, 'fragment')}`,
    `${count(metadataWrites, 'write')} of metadata`,
    `${formatSize(bytesZeroed)} zeroed`,
  ];
  return parts.join(', ');
}
