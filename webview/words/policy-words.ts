import type { AllocationPolicy } from '../../src/protocol/requests';

/** How the policies of allocation are called, and what they do. */
export const policyWords: Readonly<
  Record<AllocationPolicy, { readonly title: string; readonly meaning: string }>
> = {
  contiguous: {
    title: 'Contiguous',
    meaning: 'Extends the file in place, else takes the smallest free extent that holds all',
  },
  'first-fit': {
    title: 'First fit',
    meaning: 'Takes what is free from the start of the volume on, as ext2 does at its simplest',
  },
  'next-fit': {
    title: 'Next fit',
    meaning: 'Takes what is free from where the last allocation ended on, as the FAT driver does',
  },
};

/** All policies, in the order in which they are offered. */
export const policies = Object.keys(policyWords) as readonly AllocationPolicy[];
