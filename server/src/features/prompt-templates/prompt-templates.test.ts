import { describe, expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'

describe('prompt templates', () => {
  it('derive their variables from the text, and check declared ones', async () => {
    const { post, put } = await startService()
    const derived = await post('/prompt-templates', {
      name: 'T',
      template: 'You are {{ persona }}, {{name}} and {{persona}}. {{}} {{1x}}',
    })
    expect(derived.status).toBe(201)
    expect(derived.body.data).toMatchObject({ variables: ['persona', 'name'], type: 'system', version: 1 })
    const declared = await post('/prompt-templates', {
      name: 'T',
      template: '{{a}} {{b}}',
      variables: ['b', 'a'],
      type: 'user',
    })
    expect(declared.body.data.variables).toEqual(['b', 'a'])
    for (const variables of [['a'], ['a', 'b', 'c'], ['a', 'b', 'a'], []]) {
      const wrong = await post('/prompt-templates', { name: 'T', template: '{{a}} {{b}}', variables })
      expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'variables'])
    }
    const changed = await put(`/prompt-templates/${derived.body.data.id}`, { template: 'Now {{only}}' })
    expect(changed.body.data.variables).toEqual(['only'])
  })

  it('are rendered with values that are never expanded again', async () => {
    const { post } = await startService()
    const { id } = (await post('/prompt-templates', { name: 'T', template: '{{a}}-{{ b }}-{{a}} $& {{c}}' })).body.data
    const values = { a: '{{b}}', b: "$1 $& '", c: 7, extra: 'unused' }
    const rendered = await post(`/prompt-templates/${id}/render`, { variables: values })
    expect(rendered.body).toEqual({ success: true, data: { text: "{{b}}-$1 $& '-{{b}} $& 7" } })
    const missing = await post(`/prompt-templates/${id}/render`, { variables: { a: 'x', toString: 'y' } })
    expect(missing.status).toBe(400)
    expect(missing.body.details.map((detail: { path: string }) => detail.path)).toEqual(['variables.b', 'variables.c'])
    expect((await post('/prompt-templates/tpl_none/render', { variables: {} })).status).toBe(404)
  })

  it('are not rendered to a text that is too long', async () => {
    const { post } = await startService()
    const { id } = (await post('/prompt-templates', { name: 'T', template: '{{a}}'.repeat(40_000) })).body.data
    const { status, body } = await post(`/prompt-templates/${id}/render`, { variables: { a: 'x'.repeat(1_000_000) } })
    expect([status, body.details[0].path]).toEqual([400, 'variables'])
  })

  it('keep every version and can restore one', async () => {
    const { get, post, put } = await startService()
    const { id } = (await post('/prompt-templates', { name: 'T', template: 'one {{a}}' })).body.data
    await put(`/prompt-templates/${id}`, { template: 'two {{b}}' })
    await put(`/prompt-templates/${id}`, { name: 'Renamed' })
    await put(`/prompt-templates/${id}`, { name: 'Renamed' })
    const versions = (await get(`/prompt-templates/${id}/versions`)).body
    expect(versions.data.map((each: { version: number }) => each.version)).toEqual([3, 2, 1])
    expect(versions.pagination.total).toBe(3)
    expect(versions.data[2].snapshot).toMatchObject({ name: 'T', template: 'one {{a}}', variables: ['a'] })
    const restored = await post(`/prompt-templates/${id}/versions/1/restore`)
    expect(restored.body.data).toMatchObject({ name: 'T', template: 'one {{a}}', variables: ['a'], version: 4 })
    expect((await get(`/prompt-templates/${id}/versions/2`)).body.data.snapshot.template).toBe('two {{b}}')
    expect((await post(`/prompt-templates/${id}/versions/9/restore`)).status).toBe(404)
    expect((await get(`/prompt-templates/${id}/versions/x`)).status).toBe(400)
  })

  it('take no new variable for which an agent that uses them has no value', async () => {
    const { get, post, put } = await startService()
    const template = (await post('/prompt-templates', { name: 'T', template: 'Be {{mood}}.' })).body.data.id
    const make = async (prompt_variables: object) =>
      (await post('/agents', { name: 'A', prompt_template_id: template, prompt_variables })).body.data.id
    const lacking = await make({ mood: 'kind' })
    const ready = await make({ mood: 'kind', language: 'German' })
    const refused = await put(`/prompt-templates/${template}`, { template: 'Be {{mood}}, in {{language}}.' })
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
    expect(refused.body.details).toEqual([{ path: lacking, message: expect.stringContaining('language') }])
    expect(refused.body.details[0].message).toContain(`PUT /api/agents/${lacking}`)
    expect((await get(`/prompt-templates/${template}`)).body.data.variables).toEqual(['mood'])
    await put(`/agents/${lacking}`, { prompt_variables: { mood: 'kind', language: 'French' } })
    const changed = await put(`/prompt-templates/${template}`, { template: 'In {{language}}.' })
    expect(changed.status).toBe(200)
    await put(`/agents/${ready}`, { prompt_variables: { language: 'German' } })
    expect((await post(`/prompt-templates/${template}/versions/1/restore`)).body.details[0].path).toBe(ready)
  })

  it('never break an agent that is created at the same time', async () => {
    const { get, post, put } = await startService()
    for (let round = 0; round < 5; round++) {
      const template = (await post('/prompt-templates', { name: 'T', template: 'Be kind.' })).body.data.id
      const [changed, ...created] = await Promise.all([
        put(`/prompt-templates/${template}`, { template: 'Be {{mood}}.' }),
        ...Array.from({ length: 4 }, () => post('/agents', { name: 'A', prompt_template_id: template })),
      ])
      const { variables } = (await get(`/prompt-templates/${template}`)).body.data
      expect(variables.length).toBe(changed?.status === 200 ? 1 : 0)
      if (variables.length > 0) expect(created.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    }
  })

  it('cannot be deleted while an agent uses them', async () => {
    const { post, put, remove } = await startService()
    const template = (await post('/prompt-templates', { name: 'T', template: 'Be {{mood}}.' })).body.data.id
    const agent = (
      await post('/agents', { name: 'A', prompt_template_id: template, prompt_variables: { mood: 'kind' } })
    ).body.data.id
    const refused = await remove(`/prompt-templates/${template}`)
    expect([refused.status, refused.body.code, refused.body.details[0].path]).toEqual([409, 'in_use', agent])
    await put(`/agents/${agent}`, { prompt_template_id: null })
    expect((await remove(`/prompt-templates/${template}`)).status).toBe(200)
  })
})
