import {
  type RecordedRequest,
  type Script,
  type ScriptedProvider,
  scriptedProvider,
} from '../server/test/scripted-provider.ts'

/** A model call as the provider has counted it. */
export interface CountedCall {
  /** The last `#…` in the prompt, by which the client named its request. */
  marker: string
  input: number
  output: number
}

/** `busy` and `refuse` cost nothing; a reply that is `cut` does. */
type ProviderFailure = 'busy' | 'refuse' | 'cut'

export interface CountingProvider {
  url: string
  calls: CountedCall[]
  /** How the next requests fail, one after another. */
  failures: ProviderFailure[]
  close(): Promise<void>
}

/** The usage of the nth call: no two calls have the same, so that a ledger row names its call. */
const inputs = 1500
const uniqueUsage = (n: number) => ({ input: 100 + (n % inputs), output: 1 + Math.floor(n / inputs) })

/** A prompt of this many bytes has room for every `input` above. */
export const longPrompt = 'Answer kindly. '.repeat(120)

/** A model provider on loopback that counts its calls. */
export async function countingProvider(): Promise<CountingProvider> {
  const calls: CountedCall[] = []
  const failures: ProviderFailure[] = []
  const play = ({ body }: RecordedRequest): Script => {
    const prompt = JSON.stringify(body.messages ?? '')
    const marker = [...prompt.matchAll(/#[\w-]+/g)].at(-1)?.[0] ?? ''
    // A case of an evaluation would fail, and have no bill.
    const failure = marker.startsWith('#case-') ? undefined : failures.shift()
    if (failure === 'busy') return { status: 503, body: { error: { message: 'Busy.' } } }
    if (failure === 'refuse') return { fault: 'refuse' }
    const n = calls.length
    const call: CountedCall = { marker, ...uniqueUsage(n) }
    calls.push(call)
    const { input, output } = call
    const wantsTool = /#(tool|approval)/.test(marker) && !prompt.includes('"role":"tool"')
    if (wantsTool && Array.isArray(body.tools)) {
      const name = (body.tools as { function: { name: string } }[])
        .map((tool) => tool.function.name)
        .find((each) => (each === 'careful') === marker.startsWith('#approval'))
      return { toolCalls: [{ name: name ?? '', arguments: '{}' }], usage: { input, output } }
    }
    const words = Array.from({ length: 4 + (n % 8) }, (_, at) => `word${at} `)
    return {
      deltas: [`${marker} `, ...words],
      delay: 20 + (n % 5) * 20,
      usage: { input, output },
      ...(failure && { fault: failure, after: 3 }),
    }
  }
  const provider: ScriptedProvider = await scriptedProvider(play)
  return { url: provider.url, calls, failures, close: () => provider.close() }
}
