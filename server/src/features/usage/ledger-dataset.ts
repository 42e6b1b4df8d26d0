import type { Columns, Dataset, Names } from '../../kernel/statistics/dataset.ts'

export const entityTypes = ['agent', 'user', 'token', 'tool', 'evaluation'] as const
export type EntityType = (typeof entityTypes)[number]

export interface Sums {
  input: number
  output: number
  cost: number
  requests: number
}

/** The sums of one model, day or entity. */
export type UsageLine = Sums & { type: EntityType | 'model' | 'day'; id: string }

/**
 * The entities that are hidden from the caller. Calls for them are not counted, and neither are calls for none of these
 * kinds, such as those that read documents into an index of several tools.
 */
export type Hidden = Record<'agent' | 'tool' | 'evaluation', string[]>

export interface LedgerQuestion {
  /** Left out: every call. */
  type?: EntityType | 'model' | 'conversation'
  /** Left out: every call that has one of this type. */
  id?: string
  hidden?: Hidden
}

const kinds = ['model', ...entityTypes] as const
interface KindSums {
  kind: (typeof kinds)[number]
  sums: Float64Array
}

const name = (kind: string) => ({ name: kind })

/** Ledger rows are only ever added, so a day with the same sums has the same rows. */
export const dataset: Dataset<LedgerQuestion, UsageLine[]> = {
  name: 'ledger',
  stamps: `
    select substr(period, 2) as day,
      sum(requests) || ' ' || sum(input_tokens) || ' ' || sum(output_tokens) || ' ' || sum(cost_nano) as stamp
    from usage_rollup
    where workspace_id = $workspace and entity_type = 'workspace' and period >= 'd' || $from and period <= 'd' || $to
    group by period`,
  tables: {
    calls: {
      rows: `
        select model_id, agent_id, user_id, token_id, tool_id, evaluation_id,
          case when conversation_id is null then null else '' end, input_tokens, output_tokens, cost_nano
        from usage_record where workspace_id = $workspace and day = $day`,
      columns: {
        model: name('model'),
        agent: name('agent'),
        user: name('user'),
        token: name('token'),
        tool: name('tool'),
        evaluation: name('evaluation'),
        conversation: name('conversation'),
        input: 'number',
        output: 'number',
        cost: 'number',
      },
    },
  },
  aggregate(days, names, { type, id, hidden }) {
    const number = type === undefined || id === undefined ? null : names.numberOf(type, id)
    if (number === 0) return []
    const isSeen = hidden ? visibility(names, hidden) : null
    const byKind: KindSums[] = kinds.map((kind) => ({ kind, sums: new Float64Array(names.size(kind) * width) }))
    const byDay: UsageLine[] = []
    for (const { day, tables } of days) {
      const ofDay = addDay(tables.calls, byKind, { type, number, isSeen })
      if (ofDay.requests > 0) byDay.push({ type: 'day', id: day, ...ofDay })
    }
    return [...byKind.flatMap(({ kind, sums }) => linesOf(kind, sums, names)), ...byDay]
  },
}

const width = 4

interface Filter {
  type: LedgerQuestion['type']
  number: number | null
  isSeen: ((calls: Columns, row: number) => boolean) | null
}

function visibility(names: Names, hidden: Hidden): NonNullable<Filter['isSeen']> {
  const kinds = Object.entries(hidden).map(([kind, ids]) => {
    const numbers = new Set(ids.map((id) => names.numberOf(kind, id)))
    return { kind, numbers: numbers.add(0) }
  })
  return (calls, row) => {
    const numberOf = (kind: string) => calls.names[kind]?.[row] ?? 0
    const isFor = kinds.filter(({ kind }) => numberOf(kind) !== 0)
    return isFor.length > 0 && isFor.every(({ kind, numbers }) => !numbers.has(numberOf(kind)))
  }
}

/** Adds the selected calls of a day to the sums of their models and entities. Returns their total. */
function addDay(calls: Columns | undefined, byKind: KindSums[], filter: Filter): Sums {
  const total = { input: 0, output: 0, cost: 0, requests: 0 }
  if (!calls) return total
  const { type, number, isSeen } = filter
  const selected = selectedRows(calls, type, number)
  const rows = isSeen ? selected.filter((row) => isSeen(calls, row)) : selected
  const count = rows.length
  const [input, output, cost] = (['input', 'output', 'cost'] as const).map((name) => {
    const [values, sum] = gather(calls.values[name], rows, count)
    total[name] = sum
    return values
  }) as [Float64Array, Float64Array, Float64Array]
  total.requests = count
  for (const { kind, sums } of byKind) {
    const numbers = calls.names[kind] as Uint32Array
    if (kind === type && number !== null) addTotal(sums, number, total)
    else addEach(sums, numbers, rows, count, input, output, cost)
  }
  return total
}

/** The rows whose value is `number`, or any where it is null; without a type all rows. */
function selectedRows({ names, rows: length }: Columns, type: Filter['type'], number: number | null): Uint32Array {
  const rows = new Uint32Array(length)
  if (type === undefined) return rows.map((_, row) => row)
  const filter = names[type] ?? noNames
  let count = 0
  for (let row = 0; row < length; row++) {
    const value = filter[row] ?? 0
    if (number === null ? value !== 0 : value === number) rows[count++] = row
  }
  return rows.subarray(0, count)
}

const noNames = new Uint32Array()

function addTotal(sums: Float64Array, number: number, { input, output, cost, requests }: Sums): void {
  for (const [index, value] of [input, output, cost, requests].entries())
    sums[number * width + index] = (sums[number * width + index] as number) + value
}

/** The hottest loop of all statistics: a separate function, so that it is optimized as a whole. */
function addEach(
  sums: Float64Array,
  numbers: Uint32Array,
  rows: Uint32Array,
  count: number,
  input: Float64Array,
  output: Float64Array,
  cost: Float64Array,
): void {
  for (let index = 0; index < count; index++) {
    const at = Math.imul(numbers[rows[index] as number] as number, width)
    if (at === 0) continue
    sums[at] = (sums[at] as number) + (input[index] as number)
    sums[at + 1] = (sums[at + 1] as number) + (output[index] as number)
    sums[at + 2] = (sums[at + 2] as number) + (cost[index] as number)
    sums[at + 3] = (sums[at + 3] as number) + 1
  }
}

/** The values of the given rows (stored plus one), and their sum. */
function gather(column: Float64Array | undefined, rows: Uint32Array, count: number): [Float64Array, number] {
  const values = new Float64Array(count)
  let sum = 0
  for (let index = 0; index < count; index++) {
    const value = (column?.[rows[index] as number] as number) - 1
    values[index] = value
    sum += value
  }
  return [values, sum]
}

function linesOf(type: (typeof kinds)[number], sums: Float64Array, names: Names): UsageLine[] {
  const lines: UsageLine[] = []
  const at = (index: number): number => sums[index] as number
  for (const [number, id] of names.all(type).entries()) {
    const first = number * width
    if (id === undefined || at(first + 3) === 0) continue
    lines.push({ type, id, input: at(first), output: at(first + 1), cost: at(first + 2), requests: at(first + 3) })
  }
  return lines
}
