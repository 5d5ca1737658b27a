/**
 * Findings as SARIF 2.1.0 (OASIS), which code hosts and editors turn into annotations. Byte ranges
 * are regions; the place inside the image is a logical location.
 */
import type { CheckFinding, CheckReport, Problem } from '../filesystem/check';
import type { Severity } from '../filesystem/finding';

interface SarifSource {
  /** The image as a URI or a relative path, as the reader of the log shall find it. */
  readonly image: string;
  readonly version: string;
  readonly table: readonly Problem[];
}

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', note: 'note' };

/** A whole log with one run: plain data, ready for JSON. */
export function toSarif(report: CheckReport, { image, version, table }: SarifSource): object {
  const used = new Set(report.findings.map(({ code }) => code));
  const rows = table.filter(({ code }) => used.has(code));
  const ruleIndex = new Map(rows.map(({ code }, index) => [code, index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'fsimg', version, rules: rows.map(toRule) } },
        artifacts: [{ location: { uri: image } }],
        results: report.findings.map((finding) => ({
          ...toResult(finding, image),
          ruleIndex: ruleIndex.get(finding.code),
        })),
        properties: { counts: report.counts, isCut: report.isCut },
      },
    ],
  };
}

function toRule({ code, severity, title, explanation }: Problem) {
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: explanation },
    defaultConfiguration: { level: levels[severity] },
  };
}

function toResult(finding: CheckFinding, image: string) {
  const { code, severity, message, offset, length, path, inode, cluster, field, cause } = finding;
  const name = path ?? (inode === undefined ? undefined : `inode ${inode}`);
  const logical = name === undefined ? [] : [{ fullyQualifiedName: name, kind: 'member' }];
  return {
    ruleId: code,
    level: levels[severity],
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: image, index: 0 },
          region: { byteOffset: offset, byteLength: length },
        },
        ...(logical.length > 0 && { logicalLocations: logical }),
      },
    ],
    properties: { inode, cluster, field, cause, fixable: finding.fixable },
  };
}
