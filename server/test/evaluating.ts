import { type Answer, type Json, type Service, until } from './harness.ts'

/** Common steps of evaluation tests. */
export function evaluating({ post, get }: Pick<Service, 'post' | 'get'>) {
  const create = async (body: object): Promise<string> => {
    const answer = await post('/evaluations', { name: 'E', ...body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.data.id
  }
  const run = async (id: string): Promise<string> => {
    const answer = await post(`/evaluations/${id}/run`)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.data.id
  }
  const ended = (id: string, runId: string): Promise<Json> =>
    until(async () => {
      const { data } = (await get(`/evaluations/${id}/runs/${runId}`)).body
      return !['queued', 'running'].includes(data.status) && data
    })
  const results = async (id: string, query = ''): Promise<Json> => {
    const answer: Answer = await get(`/evaluations/${id}/results?limit=100${query}`)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.data
  }
  return {
    create,
    run,
    ended,
    results,
    /** Creates and runs an evaluation and returns its results. */
    async evaluate(body: object): Promise<Json> {
      const id = await create(body)
      await ended(id, await run(id))
      return results(id)
    },
  }
}
