import { type GenerateRequest, ProviderError } from '../src/kernel/llm/model.ts'

/** A request with everything in it that a test does not care about, and the pieces of text it was given. */
export function modelRequest(some: Partial<GenerateRequest> = {}): GenerateRequest & { pieces: string[] } {
  const pieces: string[] = []
  return {
    messages: [{ role: 'user', content: 'Hello?' }],
    tools: [],
    temperature: null,
    maxTokens: null,
    signal: new AbortController().signal,
    onText: (delta) => pieces.push(delta),
    pieces,
    ...some,
  }
}

/** The provider's failure that something ends in; anything else, a success included, fails the test. */
export async function failure(work: Promise<unknown>): Promise<ProviderError> {
  const outcome = await work.then(
    (result) => new Error(`It succeeded with ${JSON.stringify(result)}.`),
    (error: unknown) => error,
  )
  if (outcome instanceof ProviderError) return outcome
  throw outcome
}
