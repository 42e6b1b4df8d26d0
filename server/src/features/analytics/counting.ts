import type { Columns, Names } from '../../kernel/figures/book.ts'
import type { MessageQuestion } from './message-book.ts'
import { type Percentiles, percentilesOf } from './percentiles.ts'

export const totalNames = [
  'shown',
  'asked',
  'answered',
  'replies',
  'errors',
  'input',
  'output',
  'cost',
  'up',
  'down',
] as const
export type Totals = Record<(typeof totalNames)[number], number>

/** What happened with one agent on one day (2026-01-31) or in one hour (2026-01-31T12). */
export type Step = Totals & { at: string; agent_id: string }

export interface ToolFigures {
  tool_id: string | null
  name: string
  calls: number
  failures: number
  average_latency_ms: number | null
}

export interface TopicFigures {
  topic: string
  conversations: number
  messages: number
}

/** Rows of a day, and which of them are meant. */
interface Meant {
  of: Record<string, Float64Array>
  rows: Uint32Array
}

const noRows: Columns = { rows: 0, of: {} }
const noColumn = new Float64Array()
const yes = 2 // a flag of 1, stored with one added

export function filterFor(names: Names, { agentId, userId, withEvaluations }: MessageQuestion) {
  const nobody = -1
  const agent = agentId === undefined ? null : names.numberOf('agent', agentId) || nobody
  const user = userId === undefined ? null : names.numberOf('user', userId) || nobody
  return ({ rows, of }: Columns = noRows): Meant => {
    const { agent: agents = noColumn, user: users = noColumn, evaluation = noColumn } = of
    const meant = new Uint32Array(rows)
    let count = 0
    for (let row = 0; row < rows; row++) {
      if (agent !== null && agents[row] !== agent) continue
      if (user !== null && users[row] !== user) continue
      if (!withEvaluations && evaluation[row] === yes) continue
      meant[count++] = row
    }
    return { of, rows: meant.subarray(0, count) }
  }
}

const emptyTotals = (): Totals => ({
  shown: 0,
  asked: 0,
  answered: 0,
  replies: 0,
  errors: 0,
  input: 0,
  output: 0,
  cost: 0,
  up: 0,
  down: 0,
})

/** All that can be added up, by moment and agent. */
export class Steps {
  private readonly sums = new Map<string, Step[]>()
  private readonly agents: string[]
  private readonly byHour: boolean

  constructor(names: Names, byHour: boolean) {
    this.agents = names.all('agent')
    this.byHour = byHour
  }

  add(day: string, { of, rows }: Meant): void {
    const { hour = noColumn, agent = noColumn, shown = noColumn, asked = noColumn, reply = noColumn } = of
    const {
      failed = noColumn,
      input = noColumn,
      output = noColumn,
      cost = noColumn,
      up = noColumn,
      down = noColumn,
    } = of
    const known = (value: number): number => (value === 0 ? 0 : value - 1)
    for (const row of rows) {
      const at = this.byHour ? `${day}T${String((hour[row] as number) - 1).padStart(2, '0')}` : day
      const step = this.step(at, agent[row] as number)
      const isShown = (shown[row] as number) - 1
      const isQuestion = (asked[row] as number) - 1
      step.shown += isShown
      step.asked += isQuestion
      step.answered += isShown * (1 - isQuestion)
      step.replies += (reply[row] as number) - 1
      step.errors += (failed[row] as number) - 1
      step.input += known(input[row] as number)
      step.output += known(output[row] as number)
      step.cost += known(cost[row] as number)
      step.up += (up[row] as number) - 1
      step.down += (down[row] as number) - 1
    }
  }

  private step(at: string, agent: number): Step {
    let ofMoment = this.sums.get(at)
    if (!ofMoment) {
      ofMoment = []
      this.sums.set(at, ofMoment)
    }
    let step = ofMoment[agent]
    if (!step) {
      step = { at, agent_id: this.agents[agent] ?? '', ...emptyTotals() }
      ofMoment[agent] = step
    }
    return step
  }

  all(): Step[] {
    return [...this.sums.values()].flatMap((ofMoment) => ofMoment.filter((step) => step !== undefined))
  }
}

/** Who asked something, in which conversations, and about what. */
export class People {
  private readonly names: Names
  private readonly users: Uint8Array
  private readonly conversations: Uint8Array
  private readonly topics: { messages: number; conversations: Uint8Array }[] = []

  constructor(names: Names) {
    this.names = names
    this.users = new Uint8Array(names.size('user'))
    this.conversations = new Uint8Array(names.size('conversation'))
  }

  add({ of, rows }: Meant): void {
    const { asked = noColumn, user = noColumn, conversation = noColumn, topic = noColumn } = of
    for (const row of rows) {
      if (asked[row] !== yes) continue
      this.users[user[row] as number] = 1
      this.conversations[conversation[row] as number] = 1
      const about = topic[row] as number
      if (about === 0) continue
      let ofTopic = this.topics[about]
      if (!ofTopic) {
        ofTopic = { messages: 0, conversations: new Uint8Array(this.conversations.length) }
        this.topics[about] = ofTopic
      }
      ofTopic.messages++
      ofTopic.conversations[conversation[row] as number] = 1
    }
  }

  counted(): { users: number; spokenIn: number; topics: TopicFigures[] } {
    const topics: TopicFigures[] = []
    const texts = this.names.all('topic')
    for (const [number, ofTopic] of this.topics.entries()) {
      if (!ofTopic) continue
      const { messages, conversations } = ofTopic
      topics.push({ topic: texts[number] ?? '', conversations: countOf(conversations), messages })
    }
    this.users[0] = 0 // questions of nobody in particular
    return { users: countOf(this.users), spokenIn: countOf(this.conversations), topics: topics.sort(byMessages) }
  }
}

const byMessages = (a: TopicFigures, b: TopicFigures): number => b.messages - a.messages || (a.topic < b.topic ? -1 : 1)

function countOf(marks: Uint8Array): number {
  let count = 0
  for (const mark of marks) count += mark
  return count
}

/** How long completed replies took. */
export class Durations {
  private values = new Float64Array(1024)
  private count = 0

  add({ of, rows }: Meant, column: 'latency' | 'firstToken'): void {
    const { completed = noColumn, [column]: durations = noColumn } = of
    for (const row of rows) {
      const value = durations[row] as number
      if (value === 0 || completed[row] !== yes) continue
      if (this.count === this.values.length) this.grow()
      this.values[this.count++] = value - 1
    }
  }

  private grow(): void {
    const larger = new Float64Array(this.values.length * 2)
    larger.set(this.values)
    this.values = larger
  }

  percentiles = (): Percentiles => percentilesOf(this.values.subarray(0, this.count))
}

interface ToolSums {
  tool: number
  name: number
  calls: number
  failures: number
  timed: number
  latency: number
}

export class Tools {
  private readonly sums = new Map<string, ToolSums>()

  add({ of, rows }: Meant): void {
    const { tool = noColumn, name = noColumn, failed = noColumn, latency = noColumn } = of
    for (const row of rows) {
      const sums = this.sumsOf(tool[row] as number, name[row] as number)
      sums.calls++
      sums.failures += (failed[row] as number) - 1
      const took = latency[row] as number
      if (took === 0) continue
      sums.timed++
      sums.latency += took - 1
    }
  }

  private sumsOf(tool: number, name: number): ToolSums {
    const key = `${tool} ${name}`
    let sums = this.sums.get(key)
    if (!sums) {
      sums = { tool, name, calls: 0, failures: 0, timed: 0, latency: 0 }
      this.sums.set(key, sums)
    }
    return sums
  }

  all(names: Names): ToolFigures[] {
    const tools = names.all('tool')
    const functions = names.all('function')
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
