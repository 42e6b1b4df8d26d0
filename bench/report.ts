import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { type Bench, computeRatio, type Figure, isReached } from './bench.ts'

export type Results = Map<string, Figure[]>

const page = new URL('../docs/performance.md', import.meta.url)

export function printTable(results: Results): void {
  const isCompared = [...results.values()].flat().some(({ before }) => before !== undefined)
  const columns = isCompared ? [...head, ...comparedHead] : head
  const rows = reportRows(results).map((row) => row.slice(0, columns.length))
  const lines = table(columns, rows).split('\n')
  process.stdout.write(`\n${lines.map((line) => (isMissed.test(line) ? red(line) : line)).join('\n')}\n`)
}

const head = ['Bench', 'Figure', 'Measured', 'Reference', 'Ratio', 'Aim']
const comparedHead = ['Before', 'Now/before']
const isMissed = /, missed\b|, worse\b/
const red = (text: string): string => (process.stdout.isTTY ? `\u001b[31m${text}\u001b[39m` : text)
const variables: Record<string, string> = {
  PARLEY_BENCH_DATA:
    'The folder with test sets in the format of BEIR (`scifact`, `xquad-en`, `xquad-de`, `xquad-zh`) and `docs/AMD_2017_10K.pdf`. Without it, knowledge is not measured.',
  PARLEY_BENCH_CACHE:
    'A folder that keeps the vectors of the test sets. Those of `scifact` take twenty minutes: run `npm run bench -- quality` once.',
  PARLEY_BENCH_DIALOGUES:
    'A folder with dialogues in the JSON format of LoCoMo, for `memory`. Without it, a small generated set is used.',
  PARLEY_BENCH_DATABASE: 'The URL of a Postgres server. Default: a temporary one, if Postgres is installed.',
  BENCH_SECONDS: 'The duration of each load.',
  BENCH_BEFORE:
    'The folder of another checkout, with its packages installed: `chat` measures both in turn and prints the change.',
  BENCH_ROWS: 'The sizes that `lists` compares. Default: `10000,1000000`.',
  DATABASE_URL: 'Makes `lists` measure Postgres instead of SQLite.',
}

function reportRows(results: Results): string[][] {
  return [...results].flatMap(([bench, figures]) =>
    figures.map((figure) => {
      const { name, value, unit, reference } = figure
      const ratio = computeRatio(figure)
      return [
        bench,
        name,
        value === undefined ? `not measured: ${figure.missing}` : withUnit(value, unit),
        reference ? `${reference.name}: ${withUnit(reference.value, unit)}` : '',
        ratio === undefined ? '' : ratio.toFixed(2),
        aimText(figure),
        ...changeTexts(figure),
      ]
    }),
  )
}

/** A turn that takes more than 5 % more processor time is worse. Other figures depend on what else the machine does. */
function changeTexts({ name, value, before, unit }: Figure): string[] {
  if (value === undefined || before === undefined) return ['', '']
  const ratio = value / before
  const isWorse = name.includes('processor time') && ratio > 1.05
  return [withUnit(before, unit), `${ratio.toFixed(2)}${isWorse ? ', worse' : ''}`]
}

function aimText(figure: Figure): string {
  const { aim, unit } = figure
  const limit = aim?.min ?? aim?.max
  if (aim === undefined || limit === undefined) return ''
  const sign = aim.min === undefined ? '≤' : '≥'
  const subject = { value: '', ratio: 'ratio ', difference: 'difference ' }[aim.of ?? 'value']
  const text = `${subject}${sign} ${aim.of === 'ratio' ? limit : withUnit(limit, unit)}`
  return isReached(figure) === false ? `${text}, missed` : text
}

/** Two or three significant digits: more would only be noise. */
function withUnit(value: number, unit: string): string {
  const digits = unit === '' ? 3 : Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  const number = Number(value.toFixed(digits)).toLocaleString('en', { maximumFractionDigits: digits })
  return unit === '' ? number : unit === '%' ? `${number} %` : `${number} ${unit}`
}

/** A table that reads well in a terminal and in Markdown. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n')
}

/** Writes docs/performance.md. Its shape stays the same, so that its history shows how figures change. */
export function writePage(results: Results, benches: Record<string, Bench>, minutes: number): void {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const processor = cpus()[0]?.model.trim() || process.arch
  const about = [
    ['System', `${type()} ${release().split('-')[0]}, Node ${process.version}`],
    ['Version', version],
    ['Date', new Date().toISOString().slice(0, 10)],
    ['Duration', `${minutes.toFixed(0)} minutes`],
  ]
  const meanings = Object.entries(benches).map(([name, { about }]) => `- **${name}**: ${about}`)
  writeFileSync(
    page,
    `# Performance

What \`npm run bench\` measured. It writes this page.

${table(['Machine', `${cpus().length} × ${processor}, ${Math.round(totalmem() / 2 ** 30)} GB`], about)}

Service, database, model and load share the machine. Times depend on it and on what else it does; ratios hardly do, because both sides are
measured in turn in the same run. So compare ratios between machines and releases, and times only on one machine.

${table(
  head,
  reportRows(results).map((row) => row.slice(0, head.length)),
)}

## What the figures mean

Each part of the table measures one kind of work.

${meanings.join('\n')}

## How to reproduce them

\`npm run bench\` measures every part again and writes this page.

\`\`\`sh
npm install
PARLEY_BENCH_DATA=/path/to/data npm run bench   # everything; writes docs/performance.md
npm run bench -- chat streams                   # some parts, longer and with all details; writes nothing
\`\`\`

${table(
  ['Variable', 'What it does'],
  Object.entries(variables).map(([name, text]) => [`\`${name}\``, text]),
)}
`,
  )
}
