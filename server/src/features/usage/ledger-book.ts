import type { Book, Day, Names } from '../../kernel/figures/book.ts'

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
          case when conversation_id is null then null else 0 end, input_tokens, output_tokens, cost_nano
        from usage_record where workspace_id = $workspace and day = $day`,
      columns: {
        model: name('model'),
        agent: name('agent'),
        user: name('user'),
        token: name('token'),
        tool: name('tool'),
        evaluation: name('evaluation'),
        conversation: 'number',
        input: 'number',
        output: 'number',
        cost: 'number',
      },
    },
  },
  answer(days, names, { type, id }) {
    const wanted = id === undefined ? null : names.numberOf(type, id)
    if (wanted === 0) return []
    const sums = kinds.map((kind) => ({ kind, of: new Float64Array(names.size(kind) * width) }))
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
function addDay(
  calls: Day['tables'][string] | undefined,
  sums: { kind: string; of: Float64Array }[],
  type: string,
  wanted: number | null,
): Sums {
  const all = { input: 0, output: 0, cost: 0, requests: 0 }
  const { input, output, cost, [type]: filter } = calls?.of ?? {}
  if (!calls || !filter || !input || !output || !cost) return all
  const meant = new Uint32Array(calls.rows)
  let count = 0
  for (let row = 0; row < calls.rows; row++) {
    const value = filter[row] as number
    if (wanted === null ? value === 0 : value !== wanted) continue
    meant[count++] = row
    all.input += (input[row] as number) - 1
    all.output += (output[row] as number) - 1
    all.cost += (cost[row] as number) - 1
  }
  all.requests = count
  for (const { kind, of } of sums) {
    const column = calls.of[kind] as Float64Array
    for (let index = 0; index < count; index++) {
      const row = meant[index] as number
      const at = (column[row] as number) * width
      if (at === 0) continue
      of[at] = (of[at] as number) + (input[row] as number) - 1
      of[at + 1] = (of[at + 1] as number) + (output[row] as number) - 1
      of[at + 2] = (of[at + 2] as number) + (cost[row] as number) - 1
      of[at + 3] = (of[at + 3] as number) + 1
    }
  }
  return all
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
