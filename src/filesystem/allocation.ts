/**
 * - `contiguous`: extends the file in place, else takes the smallest free extent that holds all,
 *   else the fewest fragments
 * - `first-fit`: the free units in the order of their place, as ext2 does at its simplest
 * - `next-fit`: the same from where the last allocation ended on, and around, as the FAT driver
 */
export const allocationPolicies = ['contiguous', 'first-fit', 'next-fit'] as const;
export type AllocationPolicy = (typeof allocationPolicies)[number];
