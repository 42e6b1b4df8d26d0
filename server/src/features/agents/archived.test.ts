import { describe, expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { type Stage, stage } from '../../../test/stage.ts'

/** An agent that is archived because an evaluation refers to it. */
async function archive({ post, remove, agent }: Stage): Promise<string> {
  const test_cases = [{ input: 'Hi', expected_output: 'Hello' }]
  const made = await post('/evaluations', { name: 'E', type: 'agent', target_id: agent, test_cases })
  expect((await remove(`/agents/${agent}`)).body.message).toContain('archived')
  return made.body.data.id
}

describe('an archived agent', () => {
  it('is left out of lists unless they ask for it', async () => {
    const here = await stage()
    const other = (await here.post('/agents', { name: 'B' })).body.data.id
    const listed = async (query = '') => {
      const { data, pagination } = (await here.get(`/agents${query}`)).body
      return [data.map(({ id, status }: Json) => [id, status]), pagination.total]
    }
    expect(await listed('?sort=name&order=asc')).toEqual([
      [
        [here.agent, 'active'],
        [other, 'active'],
      ],
      2,
    ])
    await archive(here)
    expect(await listed()).toEqual([[[other, 'active']], 1])
    expect(await listed('?status=active')).toEqual([[[other, 'active']], 1])
    expect(await listed('?status=archived')).toEqual([[[here.agent, 'archived']], 1])
    expect(await listed('?name=A')).toEqual([[], 0])
    expect((await here.get(`/agents/${here.agent}`)).body.data.status).toBe('archived')
  })

  it('does not keep what only it uses, and needs that again to be active', async () => {
    const here = await stage()
    const template = (await here.post('/prompt-templates', { name: 'T', template: 'Be kind.' })).body.data.id
    await here.put(`/agents/${here.agent}`, { system_prompt: null, prompt_template_id: template })
    const used = [`/models/${here.model}`, `/prompt-templates/${template}`]
    for (const path of used) expect((await here.remove(path)).body.code).toBe('in_use')
    const conversation = await here.talk()
    const evaluation = await archive(here)
    for (const path of used) expect((await here.remove(path)).status).toBe(200)
    const { data } = (await here.get(`/agents/${here.agent}`)).body
    expect(data).toMatchObject({ status: 'archived', model_id: here.model })
    expect((await here.put(`/agents/${here.agent}`, { description: 'Old' })).status).toBe(200)
    const active = await here.put(`/agents/${here.agent}`, { status: 'active' })
    expect([active.status, active.body.code]).toEqual([400, 'unknown_reference'])
    expect((await here.say(conversation, 'Hi')).status).toBeLessThan(500)
    const fixed = { status: 'active', model_id: null, prompt_template_id: null, system_prompt: 'Be kind.' }
    expect((await here.put(`/agents/${here.agent}`, fixed)).status).toBe(200)
    await here.remove(`/evaluations/${evaluation}`)
    expect((await here.remove(`/agents/${here.agent}`)).body.message).toBe('The agent was deleted.')
  })
})
