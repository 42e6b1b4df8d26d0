import type { Json } from './harness.ts'
import { type Stage, stage } from './stage.ts'

export type Here = Stage & { id: string }

/** A conversation with an agent that replies "re: " and the question. */
export async function talking(): Promise<Here> {
  const here = await stage(({ body }) => ({ deltas: [`re: ${(body.messages as Json[]).at(-1).content}`] }))
  return { ...here, id: await here.talk() }
}

export const listed = async ({ get, id }: Here): Promise<Json[]> =>
  (await get(`/conversations/${id}/messages`)).body.data
export const contents = (messages: Json[]): string[] => messages.map(({ content }) => content)
export const said = async (here: Here): Promise<string[]> => contents(await listed(here))
export const ask = async (here: Here, message: string, more: object = {}): Promise<Json> =>
  (await here.say(here.id, message, more)).body.data
export const activate = ({ post, id }: Here, message: string) =>
  post(`/conversations/${id}/messages/${message}/activate`)
