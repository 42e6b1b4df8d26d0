import { expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'

it('a token has groups, which can be changed for the next request', async () => {
  const { post, put, get } = await startService()
  const fields = { name: 'Anna', role: 'user', user_id: 'anna', groups: ['sales', 'hr', 'hr'] }
  const { id, token, groups } = (await post('/tokens', fields)).body.data
  expect(groups).toEqual(['hr', 'sales'])
  const me = async () => (await get('/me', { token })).body.data
  expect(await me()).toMatchObject({ user_id: 'anna', groups: ['hr', 'sales'] })
  expect((await put(`/tokens/${id}`, { groups: ['sales'] })).body.data.groups).toEqual(['sales'])
  expect((await me()).groups).toEqual(['sales'])
  expect((await get(`/tokens/${id}`)).body.data).not.toHaveProperty('secret')
})

it('a token keeps its user, and cannot be changed by a lower role', async () => {
  const { post, put, tokenFor } = await startService()
  const { id } = (await post('/tokens', { name: 'Anna', role: 'user', user_id: 'anna' })).body.data
  const { status, body } = await put(`/tokens/${id}`, { user_id: 'ben' })
  expect([status, body.details[0].path]).toEqual([400, 'user_id'])
  const owner = (await post('/tokens', { name: 'Owner', role: 'owner' })).body.data.id
  const admin = { token: await tokenFor('admin') }
  expect((await put(`/tokens/${owner}`, { groups: ['x'] }, admin)).status).toBe(403)
  expect((await put(`/tokens/${id}`, { groups: [''] }, admin)).body.details[0].path).toBe('groups[0]')
  expect((await put(`/tokens/${id}`, { groups: ['x'] }, admin)).status).toBe(200)
})
