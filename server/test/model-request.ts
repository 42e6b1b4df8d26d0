import { type GenerateRequest, ProviderError } from '../src/kernel/llm/model.ts'

/** A request with defaults, and the pieces of text that it received. */
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

/** The provider error that a promise rejects with. Any other outcome fails the test. */
export async function failure(work: Promise<unknown>): Promise<ProviderError> {
  const outcome = await work.then(
    (result) => new Error(`It succeeded with ${JSON.stringify(result)}.`),
    (error: unknown) => error,
  )
  if (outcome instanceof ProviderError) return outcome
  throw outcome
}
