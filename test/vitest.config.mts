import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['oracle/**', 'e2e/**', 'vscode/**'],
        },
      },
      { extends: true, test: { name: 'oracle', include: ['oracle/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'e2e', include: ['e2e/**/*.test.ts'], fileParallelism: false },
      },
    ],
  },
});
