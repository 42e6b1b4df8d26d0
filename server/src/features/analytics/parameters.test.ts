import { expect, it } from 'vitest'
import { stage } from '../../../test/stage.ts'

it('names the invalid parameter', async () => {
  const { get } = await stage()
  const wrong = async (query: string) => {
    const { status, body } = await get(`/analytics/conversations?${query}`)
    return [status, body.details?.[0].path]
  }
  expect(await wrong('start_date=yesterday')).toEqual([400, 'start_date'])
  expect(await wrong('start_date=2026-02-02&end_date=2026-02-01')).toEqual([400, 'start_date'])
  expect(await wrong('interval=minute')).toEqual([400, 'interval'])
  expect(await wrong('start_date=2000-01-01&end_date=2026-01-01&interval=hour')).toEqual([400, 'interval'])
  expect(await wrong('color=red')).toEqual([400, 'color'])
  expect((await get('/analytics/conversations')).body.data.timeline.length).toBe(30)
  const times = 'start_date=2026-02-01T10:00:00Z&end_date=2026-02-03T10:00:00Z'
  const { period } = (await get(`/analytics/conversations?${times}`)).body.data
  expect(period).toMatchObject({ start_date: '2026-02-01', end_date: '2026-02-03' })
})
