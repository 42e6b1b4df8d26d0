import type { Book, Columns, Names } from '../../kernel/figures/book.ts'

export const entityTypes = ['agent', 'user', 'token', 'tool', 'evaluation'] as const
export type EntityType = (typeof entityTypes)[number]

export interface Sums {
  input: number
  output: number
  cost: number
  requests: number
}

/** What one model, day or entity came to. */
export type Line = Sums & { type: EntityType | 'model' | 'day'; id: string }

export interface LedgerQuestion {
  type: EntityType | 'model' | 'conversation'
  /** Left out: whatever has one of this type. */
  id?: string
}

const kinds = ['model', ...entityTypes] as const
interface KindSums {
  kind: (typeof kinds)[number]
  of: Float64Array
}

const name = (kind: string) => ({ name: kind })

/** The ledger only grows, so a day whose sums are the same has the same rows. */
export const book: Book<LedgerQuestion, Line[]> = {
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
  answer(days, names, { type, id }) {
    const wanted = id === undefined ? null : names.numberOf(type, id)
    if (wanted === 0) return []
    const sums: KindSums[] = kinds.map((kind) => ({ kind, of: new Float64Array(names.size(kind) * width) }))
    const byDay: Line[] = []
    for (const { day, tables } of days) {
      const ofDay = addDay(tables.calls, sums, type, wanted)
      if (ofDay.requests > 0) byDay.push({ type: 'day', id: day, ...ofDay })
    }
    return [...sums.flatMap(({ kind, of }) => linesOf(kind, of, names)), ...byDay]
  },
}

const width = 4

/** Adds the calls of a day that are meant to the sums of all that they had to do with. */
function addDay(calls: Columns | undefined, sums: KindSums[], type: string, wanted: number | null): Sums {
  const all = { input: 0, output: 0, cost: 0, requests: 0 }
  const filter = calls?.names[type]
  if (!calls || !filter) return all
  const rows = new Uint32Array(calls.rows)
  let count = 0
  for (let row = 0; row < calls.rows; row++) {
    const value = filter[row] as number
    if (wanted === null ? value !== 0 : value === wanted) rows[count++] = row
  }
  const [input, output, cost] = (['input', 'output', 'cost'] as const).map((name) => {
    const [values, sum] = gathered(calls.values[name], rows, count)
    all[name] = sum
    return values
  }) as [Float64Array, Float64Array, Float64Array]
  all.requests = count
  for (const { kind, of } of sums) {
    const numbers = calls.names[kind] as Uint32Array
    for (let index = 0; index < count; index++) {
      const at = (numbers[rows[index] as number] as number) * width
      if (at === 0) continue
      of[at] = (of[at] as number) + (input[index] as number)
      of[at + 1] = (of[at + 1] as number) + (output[index] as number)
      of[at + 2] = (of[at + 2] as number) + (cost[index] as number)
      of[at + 3] = (of[at + 3] as number) + 1
    }
  }
  return all
}

/** The values of some rows side by side, as they were before one was added to them, and their sum. */
function gathered(column: Float64Array | undefined, rows: Uint32Array, count: number): [Float64Array, number] {
  const values = new Float64Array(count)
  let sum = 0
  for (let index = 0; index < count; index++) {
    const value = (column?.[rows[index] as number] as number) - 1
    values[index] = value
    sum += value
  }
  return [values, sum]
}

function linesOf(type: (typeof kinds)[number], sums: Float64Array, names: Names): Line[] {
  const lines: Line[] = []
  const at = (index: number): number => sums[index] as number
  for (const [number, id] of names.all(type).entries()) {
    const first = number * width
    if (id === undefined || at(first + 3) === 0) continue
    lines.push({ type, id, input: at(first), output: at(first + 1), cost: at(first + 2), requests: at(first + 3) })
  }
  return lines
}
