import type { Columns, Names } from '../../kernel/statistics/dataset.ts'

export interface MessageFilter {
  agentId?: string
  userId?: string
  withEvaluations: boolean
  /** Hidden from the caller: these agents are not counted at all, and calls of these tools are left out. */
  hiddenAgents?: string[]
  hiddenTools?: string[]
}

/**
 * The columns of the message dataset that are summed. `started`, `active` and `completed` count the conversations started
 * in the period; `messages` and `answers` leave out regenerated replies, all others include them.
 */
export const totalNames = [
  'started',
  'active',
  'completed',
  'messages',
  'questions',
  'answers',
  'replies',
  'errors',
  'input',
  'output',
  'cost',
  'up',
  'down',
] as const
export type Totals = Record<(typeof totalNames)[number], number>

/** Totals of one day (2026-01-31) or one hour (2026-01-31T12). */
export type StepTotals = Totals & { at: string }
export type AgentTotals = Totals & { agent_id: string }

export interface ToolStatistics {
  tool_id: string | null
  name: string
  calls: number
  failures: number
  average_latency_ms: number | null
}

export interface TopicStatistics {
  topic: string
  conversations: number
  messages: number
}

/** Columns of a day, and the rows of them that pass the filter. */
interface Selection extends Omit<Columns, 'rows'> {
  rows: Uint32Array
}

const noRows: Columns = { rows: 0, values: {}, names: {} }
const noValues = new Float64Array()
const noNames = new Uint32Array()
const yes = 2 // values are stored plus one

export function filterFor(names: Names, { agentId, userId, withEvaluations, ...hidden }: MessageFilter) {
  const unknown = -1
  const hiddenAgents = numbersOf(names, 'agent', hidden.hiddenAgents)
  const hiddenTools = numbersOf(names, 'tool', hidden.hiddenTools)
  const agent = agentId === undefined ? null : names.numberOf('agent', agentId) || unknown
  const user = userId === undefined ? null : names.numberOf('user', userId) || unknown
  return ({ rows, values, names: of }: Columns = noRows): Selection => {
    const { agent: agents = noNames, user: users = noNames, tool: tools = noNames } = of
    const { evaluation = noValues } = values
    const selected = new Uint32Array(rows)
    let count = 0
    for (let row = 0; row < rows; row++) {
      if (agent !== null && agents[row] !== agent) continue
      if (user !== null && users[row] !== user) continue
      if (hiddenAgents?.has(agents[row] as number) || hiddenTools?.has(tools[row] as number)) continue
      if (!withEvaluations && evaluation[row] === yes) continue
      selected[count++] = row
    }
    return { values, names: of, rows: selected.subarray(0, count) }
  }
}

/** Undefined if there are none. */
function numbersOf(names: Names, kind: string, ids: readonly string[] = []): ReadonlySet<number> | undefined {
  const numbers = new Set(ids.map((id) => names.numberOf(kind, id)))
  numbers.delete(0)
  return numbers.size > 0 ? numbers : undefined
}

const width = totalNames.length
const hoursOfDay = 24

/** Sums by day or hour, and by agent. */
export class TotalsAggregator {
  private readonly names: Names
  private readonly steps: StepTotals[] = []
  private readonly stepsOfDay: number
  private readonly ofDay: Float64Array
  private readonly ofAgents: Float64Array

  constructor(names: Names, byHour: boolean) {
    this.names = names
    this.stepsOfDay = byHour ? hoursOfDay : 1
    this.ofDay = new Float64Array(this.stepsOfDay * width)
    this.ofAgents = new Float64Array(names.size('agent') * width)
  }

  add({ values, names, rows }: Selection): void {
    const { agent = noNames } = names
    const { hour = noValues } = values
    const { ofDay, ofAgents, stepsOfDay } = this
    for (const [index, name] of totalNames.entries()) {
      const column = values[name]
      if (!column) continue
      for (let n = 0; n < rows.length; n++) {
        const row = rows[n] as number
        const value = column[row] as number
        if (value < 2) continue // null or 0
        const step = stepsOfDay === 1 ? index : ((hour[row] as number) - 1) * width + index
        const ofAgent = (agent[row] as number) * width + index
        ofDay[step] = (ofDay[step] as number) + value - 1
        ofAgents[ofAgent] = (ofAgents[ofAgent] as number) + value - 1
      }
    }
  }

  endDay(day: string): void {
    for (let step = 0; step < this.stepsOfDay; step++) {
      const totals = totalsAt(this.ofDay, step)
      if (!totals) continue
      this.steps.push({ at: this.stepsOfDay === 1 ? day : `${day}T${String(step).padStart(2, '0')}`, ...totals })
    }
    this.ofDay.fill(0)
  }

  result(): { steps: StepTotals[]; agents: AgentTotals[] } {
    const ids = this.names.all('agent')
    const agents: AgentTotals[] = []
    for (let number = 0; number * width < this.ofAgents.length; number++) {
      const totals = totalsAt(this.ofAgents, number)
      if (totals) agents.push({ agent_id: ids[number] ?? '', ...totals })
    }
    return { steps: this.steps, agents }
  }
}

/** Undefined if all of them are 0. */
function totalsAt(sums: Float64Array, index: number): Totals | undefined {
  const values = sums.subarray(index * width, (index + 1) * width)
  if (values.every((value) => value === 0)) return undefined
  return Object.fromEntries(totalNames.map((name, at) => [name, values[at]])) as Totals
}

/** Distinct users and conversations with a question, in total and by topic. */
export class ConversationCounter {
  private readonly names: Names
  private readonly users: Uint8Array
  private readonly conversations: Uint8Array
  private readonly topics: { messages: number; conversations: Uint8Array }[] = []

  constructor(names: Names) {
    this.names = names
    this.users = new Uint8Array(names.size('user'))
    this.conversations = new Uint8Array(names.size('conversation'))
  }

  addMessages({ values, names, rows }: Selection): void {
    const { questions = noValues } = values
    const { user = noNames, conversation = noNames } = names
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n] as number
      if ((questions[row] as number) < 2) continue // null or 0
      this.users[user[row] as number] = 1
      this.conversations[conversation[row] as number] = 1
    }
  }

  addTopics({ values, names, rows }: Selection): void {
    const { questions = noValues } = values
    const { conversation = noNames, topic = noNames } = names
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n] as number
      const number = topic[row] as number
      let ofTopic = this.topics[number]
      if (!ofTopic) {
        ofTopic = { messages: 0, conversations: new Uint8Array(this.conversations.length) }
        this.topics[number] = ofTopic
      }
      ofTopic.messages += (questions[row] as number) - 1
      ofTopic.conversations[conversation[row] as number] = 1
    }
  }

  result(): { uniqueUsers: number; activeConversations: number; topics: TopicStatistics[] } {
    const topics: TopicStatistics[] = []
    const names = this.names.all('topic')
    for (const [number, ofTopic] of this.topics.entries()) {
      if (!ofTopic) continue
      const { messages, conversations } = ofTopic
      topics.push({ topic: names[number] ?? '', conversations: countOf(conversations), messages })
    }
    this.users[0] = 0 // questions without a user
    return {
      uniqueUsers: countOf(this.users),
      activeConversations: countOf(this.conversations),
      topics: topics.sort(byMessages),
    }
  }
}

const byMessages = (a: TopicStatistics, b: TopicStatistics): number =>
  b.messages - a.messages || (a.topic < b.topic ? -1 : 1)

function countOf(marks: Uint8Array): number {
  let count = 0
  for (let n = 0; n < marks.length; n++) count += marks[n] as number
  return count
}

interface ToolSums {
  tool: number
  name: number
  calls: number
  failures: number
  timed: number
  latency: number
}

export class ToolAggregator {
  private readonly names: Names
  private readonly sums = new Map<number, ToolSums>()

  constructor(names: Names) {
    this.names = names
  }

  add({ values, names, rows }: Selection): void {
    const { tool = noNames, name = noNames } = names
    const { calls = noValues, failures = noValues, timed = noValues, latency = noValues } = values
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n] as number
      const sums = this.sumsOf(tool[row] as number, name[row] as number)
      sums.calls += (calls[row] as number) - 1
      sums.failures += (failures[row] as number) - 1
      sums.timed += (timed[row] as number) - 1
      sums.latency += Math.max(0, (latency[row] as number) - 1) // null where none is timed
    }
  }

  private sumsOf(tool: number, name: number): ToolSums {
    const key = tool * 2 ** 26 + name
    let sums = this.sums.get(key)
    if (!sums) {
      sums = { tool, name, calls: 0, failures: 0, timed: 0, latency: 0 }
      this.sums.set(key, sums)
    }
    return sums
  }

  result(): ToolStatistics[] {
    const tools = this.names.all('tool')
    const functions = this.names.all('function')
    return [...this.sums.values()]
      .map(({ tool, name, calls, failures, timed, latency }) => ({
        tool_id: tools[tool] ?? null,
        name: functions[name] ?? '',
        calls,
        failures,
        average_latency_ms: timed === 0 ? null : latency / timed,
      }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }
}
