import { instructed } from './json-format.ts'
import { type GenerateRequest, ProviderError } from './model.ts'

const structured =
  /response_?format|json_?schema|response_?(json_?)?schema|response.?mime.?type|output_?(config|format)|structured.?output/i

/** Parameters that a provider may refuse, with how its errors name them. When two are named, the first is left out. */
const parameters = {
  streamOptions: /stream_options/,
  maxTokens: /max_(completion_)?tokens/,
  format: structured,
  formatWithTools: structured,
  toolChoice: /tool_?choice|function_?calling_?config/i,
  parallelToolCalls: /parallel_tool_calls|disable_parallel_tool_use/,
  topP: /\btop_?p\b/i,
  temperature: /temperature/i,
  seed: /\bseed\b/,
  stop: /\bstop(_?sequences)?\b/i,
  reasoningEffort: /reasoning|thinking|effort/i,
}
export type Parameter = keyof typeof parameters
export type Refused = ReadonlySet<Parameter>

/** The error is about the value, not the parameter. Dropping the parameter would change the meaning of the request. */
const aboutValue =
  /maximum|minimum|less than|greater than|at (most|least)|between|out of range|too (large|high|small|low|long|many)|exceed/i
const unsupported = /unsupported|unrecogni[sz]ed|unknown|not (be )?(support|permit|allow)|use 'max_completion_tokens'/i

/** The error is about this schema. Another one may be accepted. */
const schemaRefused = /invalid schema/i

/** The parameters of a request that can be dropped. */
export const optionalIn = ({ temperature, sampling = {}, tools, toolChoice, format }: GenerateRequest): Parameter[] => {
  const { topP, seed, stop, reasoningEffort, parallelToolCalls } = sampling
  const sent: Partial<Record<Parameter, unknown>> = {
    temperature,
    topP,
    seed,
    stop,
    reasoningEffort,
    [formatWith(tools)]: format,
    ...(tools.length > 0 && { toolChoice, parallelToolCalls }),
  }
  return (Object.keys(parameters) as Parameter[]).filter((name) => (sent[name] ?? null) !== null)
}

/** Some models take a format or tools, but not both. */
const formatWith = (tools: unknown[]): Parameter => (tools.length > 0 ? 'formatWithTools' : 'format')

/** The request without refused parameters. A refused format becomes an instruction. */
export function without(request: GenerateRequest, refused: Refused): GenerateRequest {
  if (refused.size === 0) return request
  const { sampling, toolChoice, temperature, format = null, ...rest } = request
  const isInstructed = format !== null && (refused.has('format') || refused.has(formatWith(rest.tools)))
  const kept = Object.entries(sampling ?? {}).filter(([name]) => !refused.has(name as Parameter))
  return {
    ...rest,
    temperature: refused.has('temperature') ? null : temperature,
    sampling: Object.fromEntries(kept),
    ...(toolChoice && !refused.has('toolChoice') && { toolChoice }),
    ...(format !== null && (isInstructed ? { messages: instructed(rest.messages, format) } : { format })),
  }
}

/** Sends requests of one model without the parameters that it has refused so far. */
export class Refusals {
  #known: Refused = new Set()

  /** Retries without a refused parameter. Remembers it once a request has succeeded. */
  async send<T>(sent: Parameter[], attempt: (refused: Refused) => Promise<T>): Promise<T> {
    let refused = this.#known
    const once = new Set<Parameter>()
    for (;;) {
      try {
        const result = await attempt(refused)
        this.#known = new Set([...this.#known, ...[...refused].filter((name) => !once.has(name))])
        return result
      } catch (error) {
        const named = namedIn(error, sent, refused)
        if (named === undefined) throw error
        if (schemaRefused.test(String(error))) once.add(named)
        refused = new Set([...refused, named])
      }
    }
  }
}

function namedIn(error: unknown, sent: Parameter[], refused: Refused): Parameter | undefined {
  if (!(error instanceof ProviderError) || (error.status !== 400 && error.status !== 422)) return undefined
  const text = `${error.param ?? ''} ${error.message}`
  const isRefused = (name: Parameter) =>
    parameters[name].test(text) && (name === 'streamOptions' || unsupported.test(text) || !aboutValue.test(text))
  return sent.find((name) => !refused.has(name) && isRefused(name))
}
