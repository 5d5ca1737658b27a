import { html, type TemplateResult } from 'lit';
import { dataValues } from './data-values';
import { visibleText } from '../words/names';

/** The selected bytes taken as numbers, times and text. */
export function renderDataInspector(bytes: Uint8Array): TemplateResult {
  return html`<table class="data-values" aria-label="Values at the first selected byte">
    <thead>
      <tr>
        <th scope="col">As</th>
        <th scope="col">Little-endian</th>
        <th scope="col">Big-endian</th>
      </tr>
    </thead>
    <tbody>
      ${dataValues(bytes).map(
        ({ kind, little, big }) =>
          html`<tr>
            <th scope="row">${kind}</th>
            ${
              big === null
                ? renderValue(little, 2)
                : html`${renderValue(little)}${renderValue(big)}`
            }
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderValue(value: string, columns = 1): TemplateResult {
  const text = visibleText(value);
  return html`<td colspan=${columns} title=${text}><bdi>${text}</bdi></td>`;
}
