/** A question about a table with the SQL that answers it. The expected rows are computed without SQL. */
export interface GoldQuestion {
  table: string
  question: string
  /** `{table}` stands for the name of the table. */
  sql: string
  /** The rows of the result. */
  answer: (string | number | boolean | null)[][]
  /** The rows of the table that the result rests on, from 1. */
  rows: number[]
}

type Value = string | number
type Fields = Record<string, Value>

interface GoldTable {
  title: string
  /** The singular and plural of what a row is. */
  noun: [one: string, many: string]
  /** The header of each column and its name in SQL. */
  columns: Record<string, string>
  key: string
  numbers: string[]
  group: string
  rows: Fields[]
  /** How a document writes a value. */
  written?: Record<string, (value: Value) => string>
}

const fields = (names: string, lines: string): Fields[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.trim().split('|')
      return Object.fromEntries(
        names.split('|').map((name, at) => {
          const cell = cells[at] ?? ''
          return [name, /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell]
        }),
      )
    })

const tables: GoldTable[] = [
  {
    title: 'Employees',
    noun: ['employee', 'employees'],
    columns: { name: 'Name', department: 'Department', city: 'City', salary: 'Salary', age: 'Age' },
    key: 'name',
    numbers: ['salary', 'age'],
    group: 'city',
    written: { salary: (value) => `$${Number(value).toLocaleString('en-US')}` },
    rows: fields(
      'name|department|city|salary|age',
      `Ada|Research|Berlin|5200|36
      Ben|Sales|Hamburg|4100|41
      Cleo|Research|Berlin|6100|29
      Dan|Support|Munich|3300|52
      Eva|Sales|Berlin|4700|33
      Finn|Support|Hamburg|3100|24
      Gita|Research|Munich|5900|47
      Hugo|Sales|Munich|4300|38`,
    ),
  },
  {
    title: 'Products',
    noun: ['product', 'products'],
    columns: {
      product: 'Product',
      category: 'Category',
      price: 'Price (EUR)',
      units: 'Units sold',
      weight: 'Weight (kg)',
    },
    key: 'product',
    numbers: ['price', 'units', 'weight'],
    group: 'category',
    written: {
      price: (value) => `${Number(value).toFixed(2).replace('.', ',')} €`,
      units: (value) => String(value).replace(/(\d)(\d{3})$/, '$1.$2'),
      weight: (value) => String(value).replace('.', ','),
    },
    rows: fields(
      'product|category|price|units|weight',
      `Lamp|Lighting|19.9|1200|1.5
      Chair|Furniture|119|310|6.2
      Desk|Furniture|250|75|30.5
      Sofa|Furniture|900|41|62
      Candle|Lighting|4.5|2650|0.2
      Mirror|Decoration|59|180|4.1
      Vase|Decoration|24.5|420|1.1`,
    ),
  },
  {
    title: 'Stations of line 7',
    noun: ['station', 'stations'],
    columns: { station: 'Station', zone: 'Zone', minutes: 'Minutes', platforms: 'Platforms' },
    key: 'station',
    numbers: ['minutes', 'platforms'],
    group: 'zone',
    rows: fields(
      'station|zone|minutes|platforms',
      `Harbour|Inner|0|4
      Old Town|Inner|3|2
      Museum|Inner|6|3
      University|Middle|11|1
      Stadium|Middle|15|6
      Airport|Outer|24|5`,
    ),
  },
  {
    title: 'Rivers',
    noun: ['river', 'rivers'],
    columns: { river: 'River', continent: 'Continent', length: 'Length (km)', countries: 'Countries' },
    key: 'river',
    numbers: ['length', 'countries'],
    group: 'continent',
    written: { length: (value) => Number(value).toLocaleString('en-US') },
    rows: fields(
      'river|continent|length|countries',
      `Nile|Africa|6650|11
      Amazon|South America|6400|7
      Yangtze|Asia|6300|1
      Mississippi|North America|3766|1
      Congo|Africa|4700|9
      Mekong|Asia|4350|6
      Danube|Europe|2850|10
      Rhine|Europe|1233|6
      Volga|Europe|3531|1`,
    ),
  },
]

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')

function questionsOn(table: GoldTable): GoldQuestion[] {
  const { title, noun, columns, key, numbers, group, rows } = table
  const [one, many] = noun
  const groups = [...new Set(rows.map((row) => String(row[group])))]
  const [firstGroup = '', secondGroup = ''] = groups
  const header = (column: string): string => (columns[column] ?? '').replace(/ \(.*\)/, '').toLowerCase()
  const sqlName = (column: string): string =>
    (columns[column] ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/_$/, '')
  const found: GoldQuestion[] = []
  const add = (
    question: string,
    sql: string,
    keep: (row: Fields) => boolean,
    answer: (kept: Fields[]) => Value[][],
  ) => {
    const kept = rows.filter(keep)
    const numbered = rows.flatMap((row, at) => (keep(row) ? [at + 1] : []))
    found.push({ table: title, question, sql, answer: answer(kept), rows: numbered })
  }
  const all = () => true
  const inGroup = (value: string) => (row: Fields) => row[group] === value
  const numbersIn = (kept: Fields[], column: string) => kept.map((row) => Number(row[column]))
  const g = sqlName(group)

  add(`How many ${many} are there?`, 'SELECT count(*) FROM {table}', all, (kept) => [[kept.length]])
  add(
    `How many ${many} are in ${header(group)} ${firstGroup}?`,
    `SELECT count(*) FROM {table} WHERE ${g} = '${firstGroup}'`,
    inGroup(firstGroup),
    (kept) => [[kept.length]],
  )
  add(
    `What is the number of ${many} with ${header(group)} ${secondGroup}?`,
    `SELECT count(*) FROM {table} WHERE ${g} = '${secondGroup}'`,
    inGroup(secondGroup),
    (kept) => [[kept.length]],
  )
  add(
    `How many different values of ${header(group)} do the ${many} have?`,
    `SELECT count(DISTINCT ${g}) FROM {table}`,
    all,
    () => [[groups.length]],
  )
  const counts = groups.map((value) => rows.filter(inGroup(value)).length)
  const largest = groups[counts.indexOf(Math.max(...counts))] ?? ''
  if (counts.filter((count) => count === Math.max(...counts)).length === 1)
    add(
      `Which ${header(group)} has the most ${many}?`,
      `SELECT ${g}, count(*) FROM {table} GROUP BY ${g} ORDER BY 2 DESC LIMIT 1`,
      inGroup(largest),
      (kept) => [[largest, kept.length]],
    )
  for (const column of numbers) {
    const name = header(column)
    const c = sqlName(column)
    const values = numbersIn(rows, column)
    const highest = Math.max(...values)
    const lowest = Math.min(...values)
    add(`What is the total ${name} of all ${many}?`, `SELECT sum(${c}) FROM {table}`, all, (kept) => [
      [sum(numbersIn(kept, column))],
    ])
    add(
      `What is the average ${name} of the ${many} in ${header(group)} ${firstGroup}?`,
      `SELECT avg(${c}) FROM {table} WHERE ${g} = '${firstGroup}'`,
      inGroup(firstGroup),
      (kept) => [[sum(numbersIn(kept, column)) / kept.length]],
    )
    add(
      `Which ${one} has the highest ${name}?`,
      `SELECT ${sqlName(key)}, ${c} FROM {table} WHERE ${c} = (SELECT max(${c}) FROM {table})`,
      (row) => row[column] === highest,
      (kept) => kept.map((row) => [row[key] as Value, highest]),
    )
    add(
      `Which ${one} has the lowest ${name}?`,
      `SELECT ${sqlName(key)}, ${c} FROM {table} WHERE ${c} = (SELECT min(${c}) FROM {table})`,
      (row) => row[column] === lowest,
      (kept) => kept.map((row) => [row[key] as Value, lowest]),
    )
    const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    add(
      `How many ${many} have ${article(name)} ${name} of more than ${middle}?`,
      `SELECT count(*) FROM {table} WHERE ${c} > ${middle}`,
      (row) => Number(row[column]) > middle,
      (kept) => [[kept.length]],
    )
    const best = Math.max(...numbersIn(rows.filter(inGroup(secondGroup)), column))
    add(
      `Which ${one} in ${header(group)} ${secondGroup} has the highest ${name}?`,
      `SELECT ${sqlName(key)}, ${c} FROM {table} WHERE ${g} = '${secondGroup}' AND ${c} = (SELECT max(${c}) FROM {table} WHERE ${g} = '${secondGroup}')`,
      (row) => row[group] === secondGroup && row[column] === best,
      (kept) => kept.map((row) => [row[key] as Value, best]),
    )
    add(
      `What is the sum of ${name} for ${header(group)} ${secondGroup}?`,
      `SELECT sum(${c}) FROM {table} WHERE ${g} = '${secondGroup}'`,
      inGroup(secondGroup),
      (kept) => [[sum(numbersIn(kept, column))]],
    )
    add(
      `What are the names of the ${many} with ${name} of at least ${middle}?`,
      `SELECT ${sqlName(key)} FROM {table} WHERE ${c} >= ${middle} ORDER BY ${sqlName(key)}`,
      (row) => Number(row[column]) >= middle,
      (kept) => kept.map((row) => [row[key] as Value]).sort(),
    )
  }
  const at = Math.floor(rows.length / 2)
  const named = (row: number) => String(rows[row]?.[key])
  const whole = (row: number) => Object.keys(columns).map((column) => rows[row]?.[column] as Value)
  const step = (row: number, sign: string) =>
    `SELECT * FROM {table} WHERE rowid = (SELECT rowid FROM {table} WHERE ${sqlName(key)} = '${named(row)}') ${sign} 1`
  for (const row of [at, 0])
    add(
      `Which ${one} comes after ${named(row)}?`,
      step(row, '+'),
      (each) => each === rows[row + 1],
      () => [whole(row + 1)],
    )
  for (const row of [at, 1])
    add(
      `Which ${one} comes before ${named(row)}?`,
      step(row, '-'),
      (each) => each === rows[row - 1],
      () => [whole(row - 1)],
    )
  return found
}

/** The tables as documents have them. */
export const goldTables = tables.map(({ title, columns, rows, written = {} }) => {
  const names = Object.keys(columns)
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const text = [
    line(Object.values(columns)),
    line(names.map(() => '---')),
    ...rows.map((row) => line(names.map((name) => (written[name] ?? String)(row[name] as Value)))),
  ].join('\n')
  return { title, text }
})

export const goldQuestions: GoldQuestion[] = tables.flatMap(questionsOn)
