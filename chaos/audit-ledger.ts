import type { Evidence, Finding } from './evidence.ts'
import type { CountedCall } from './provider.ts'

export interface LedgerRow {
  id: string
  message_id: string | null
  tool_id: string | null
  evaluation_id: string | null
  input_tokens: number
  output_tokens: number
  estimated: boolean
  /** The question that it belongs to, and the status of the reply. */
  marker: string | null
  status: string | null
}

/** Compares the ledger with the calls that the provider counted, and the sums with the ledger. */
export async function auditLedger({ cluster, provider, scene }: Evidence): Promise<Finding[]> {
  const rows = await cluster.query<LedgerRow>(
    `select record.id, record.message_id, record.tool_id, record.evaluation_id, record.input_tokens,
       record.output_tokens, record.estimated, reply.status,
       (select question.content from message question
        where question.conversation_id = reply.conversation_id and question.role = 'user' and question.id < reply.id
        order by question.id desc limit 1) as marker
     from usage_record record left join message reply on reply.id = record.message_id where record.kind = 'chat'`,
  )
  const number = async (sql: string) => Number((await cluster.query<{ number: string }>(sql))[0]?.number)
  const { wrong, missing } = compareLedger(rows, provider.calls, scene.rag)
  const cases = await cluster.query<{ name: string; error: string | null; rows: string }>(
    `select concat(run_id, ' ', position) as name, error,
       (select count(*) from usage_record record where record.conversation_id = result.conversation_id) as rows
     from evaluation_result result where outcome <> 'pending'`,
  )
  for (const { name, rows: count, error } of cases)
    if (Number(count) !== 1) missing.push(`case ${name}: ${count} rows (${error})`)
  const billedCases = rows.filter(({ evaluation_id }) => evaluation_id !== null).length
  if (billedCases > cases.length) wrong.push(`${cases.length} finished cases, ${billedCases} rows`)
  const sums = await number(
    `select coalesce(sum(requests), 0) as number from usage_rollup where scope = 'workspace' and period like 'm%'`,
  )
  const all = await number('select count(*) as number from usage_record')
  if (sums !== all) wrong.push(`the sums have ${sums} calls, the ledger ${all}`)
  return [
    { name: 'ledger rows without a call', checked: rows.length, faults: wrong },
    { name: 'calls without a ledger row', checked: provider.calls.length, faults: missing },
  ]
}

/**
 * Each call has a usage of its own, so a row with a reported usage names its call. The row of a call whose node was killed
 * meanwhile has an estimate: then the numbers of calls and rows for its question (or of all calls without one) must agree.
 * Only an interrupted reply may have one estimate more, because the node may have been killed before it sent the call.
 * A case of an evaluation that was cut off runs again, and only the run that counts is billed.
 */
export function compareLedger(rows: LedgerRow[], calls: CountedCall[], ragTool: string) {
  const usageKey = (input: number, output: number): string => `${input}/${output}`
  const byUsage = new Map(calls.map((call) => [usageKey(call.input, call.output), call]))
  const named = new Set<CountedCall>()
  const wrong: string[] = []
  for (const row of rows.filter(({ estimated }) => !estimated)) {
    const call = byUsage.get(usageKey(Number(row.input_tokens), Number(row.output_tokens)))
    if (!call) wrong.push(`${row.id}: no call of the provider has this usage`)
    else if (named.has(call)) wrong.push(`${row.id}: ${call.marker} is billed twice`)
    else named.add(call)
  }
  const groupOfCall = ({ marker }: CountedCall) => /^#(chat|answer)-/.exec(marker)?.[1] ?? marker
  const groupOfRow = ({ tool_id, message_id, marker }: LedgerRow) =>
    tool_id === ragTool ? 'answer' : message_id === null ? 'chat' : (marker ?? message_id)
  const isCase = ({ marker }: CountedCall) => marker.startsWith('#case-')
  const callsByGroup = Map.groupBy(
    calls.filter((call) => !isCase(call)),
    groupOfCall,
  )
  const rowsByGroup = Map.groupBy(
    rows.filter(({ evaluation_id }) => evaluation_id === null),
    groupOfRow,
  )
  const missing: string[] = []
  for (const group of new Set([...callsByGroup.keys(), ...rowsByGroup.keys()])) {
    const made = callsByGroup.get(group) ?? []
    const found = rowsByGroup.get(group) ?? []
    const interrupted = found.filter(({ estimated, status }) => estimated && status === 'interrupted')
    const unsent = new Set(interrupted.map(({ message_id }) => message_id)).size
    if (found.length < made.length) {
      const unnamed = made.filter((call) => !named.has(call)).map(({ marker }) => marker)
      missing.push(`${group}: ${made.length} calls, ${found.length} rows; without a row that names it: ${unnamed}`)
    } else if (found.length > made.length + unsent) {
      const estimates = found.filter(({ estimated }) => estimated).map(({ id, status }) => `${id} (${status})`)
      wrong.push(`${group}: ${made.length} calls, ${found.length} rows; estimates: ${estimates}`)
    }
  }
  return { wrong, missing }
}
