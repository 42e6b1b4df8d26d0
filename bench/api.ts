import { Agent, request } from 'undici'
import { type Running, token } from './processes.ts'

export interface Api {
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

/** The service as a program sees it: the data of an answer, or an error. */
export const createApi = ({ url }: Pick<Running, 'url'>): Api => ({
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { success: boolean; data: T }
    if (!answer.success) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.data
  },
})

/**
 * Posts and reads the answer without looking at it, as quickly as Node can: what the client takes is taken from the
 * service, which shares the machine with it.
 */
export function posting({ url }: Pick<Running, 'url'>, path: string): (body: unknown) => Promise<void> {
  const dispatcher = new Agent({ connections: 64 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (body) => {
    const { statusCode, body: answer } = await request(`${url}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      dispatcher,
    })
    if (statusCode !== 200) throw new Error(`POST ${path}: ${await answer.text()}`)
    await answer.dump()
  }
}

/** Looks again and again until it is so. */
export async function until<T>(look: () => Promise<T>, isSo: (value: T) => boolean, every = 100): Promise<T> {
  for (;;) {
    const value = await look()
    if (isSo(value)) return value
    await new Promise((resolve) => setTimeout(resolve, every))
  }
}
