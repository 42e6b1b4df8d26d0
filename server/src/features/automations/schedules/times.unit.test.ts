import { describe, expect, it } from 'vitest'
import { missedTimes, nextAfter, normalizeAt, singleTime, type Times } from './times.ts'

const timezone = 'Europe/Berlin'

/** The due times of two days, as `day hour:minute` in UTC. */
function dueTimes(cron: string, from: string, zone = timezone): string[] {
  const times: Times = { cron, at: null, timezone: zone }
  const found: string[] = []
  const start = Date.parse(from)
  for (let next = nextAfter(times, start); next !== null && Date.parse(next) < start + 48 * 3_600_000; ) {
    found.push(next.slice(8, 16).replace('T', ' '))
    next = nextAfter(times, Date.parse(next))
  }
  return found
}

describe('in Berlin, where 02:00 becomes 03:00 on 28 March 2027 at 01:00 UTC', () => {
  it.each([
    ['30 2 * * *', ['28 01:00', '29 00:30']],
    ['30 2,14 * * *', ['28 01:00', '28 12:30', '29 00:30', '29 12:30']],
    ['0,30 2 * * *', ['28 01:00', '29 00:00', '29 00:30']],
    ['0 2-3 * * *', ['28 01:00', '29 00:00', '29 01:00']],
    [
      '0 */6 * * *',
      ['27 23:00', '28 04:00', '28 10:00', '28 16:00', '28 22:00', '29 04:00', '29 10:00', '29 16:00', '29 22:00'],
    ],
    ['30 2 28 3 *', ['28 01:00']],
  ])('%s runs once for each time, those that do not exist at the change', (cron, expected) => {
    expect(dueTimes(cron, '2027-03-27T22:30:00Z')).toEqual(expected)
  })
  it('an expression for every hour runs every hour that there is', () => {
    expect(dueTimes('15 * * * *', '2027-03-27T23:30:00Z').slice(0, 3)).toEqual(['28 00:15', '28 01:15', '28 02:15'])
  })
  it('a single time that does not exist is the change', () => {
    expect(singleTime('2027-03-28T02:30', timezone)).toBe(Date.parse('2027-03-28T01:00:00Z'))
  })
})

describe('in Berlin, where 03:00 becomes 02:00 on 31 October 2027 at 01:00 UTC', () => {
  it.each([
    ['30 2 * * *', ['31 00:30', '01 01:30']],
    ['30 2,14 * * *', ['31 00:30', '31 13:30', '01 01:30', '01 13:30']],
    ['0,30 2 * * *', ['31 00:00', '31 00:30', '01 01:00', '01 01:30']],
    ['0 2-3 * * *', ['31 00:00', '31 02:00', '01 01:00', '01 02:00']],
    ['0 */6 * * *', ['30 22:00', '31 05:00', '31 11:00', '31 17:00', '31 23:00', '01 05:00', '01 11:00', '01 17:00']],
    ['30 2 * * 0', ['31 00:30']],
  ])('%s runs once for each time', (cron, expected) => {
    expect(dueTimes(cron, '2027-10-30T21:30:00Z')).toEqual(expected)
  })
  it('an expression for every hour runs every hour that there is', () => {
    const expected = ['30 23:15', '31 00:15', '31 01:15', '31 02:15']
    expect(dueTimes('15 * * * *', '2027-10-30T22:30:00Z').slice(0, 4)).toEqual(expected)
  })
  it('a single time that exists twice is the first', () => {
    expect(singleTime('2027-10-31T02:30:00', timezone)).toBe(Date.parse('2027-10-31T00:30:00Z'))
  })
})

it.each([
  ['Australia/Lord_Howe', '2026-10-03T14:00:00Z', '15,45 2 * * *', ['03 15:30', '03 15:45', '04 15:15', '04 15:45']],
  ['America/Havana', '2027-03-13T12:00:00Z', '0,30 0 * * *', ['14 05:00', '15 04:00', '15 04:30']],
  ['Asia/Kathmandu', '2027-03-13T12:00:00Z', '0 9,18 * * *', ['13 12:15', '14 03:15', '14 12:15', '15 03:15']],
])('other zones, other changes: %s', (zone, from, cron, expected) => {
  expect(dueTimes(cron, from, zone)).toEqual(expected)
})

it.each([
  '2027-02-30T09:00',
  '2027-02-29T09:00:00Z',
  '2027-13-01T09:00',
  '2027-01-01T24:30',
  '2027-04-31T09:00:00+02:00',
])('%s is no time', (at) => {
  expect(() => normalizeAt(at)).toThrow('must be a time')
})
it('other times are kept, or converted to UTC', () => {
  expect(normalizeAt('2028-02-29T09:00')).toBe('2028-02-29T09:00')
  expect(normalizeAt('2027-01-01T00:30:15.5+02:00')).toBe('2026-12-31T22:30:15Z')
})

it.each(['* 1-3 * * *', '* * * * *'])('finds the last of many times that were missed: %s', (cron) => {
  const times: Times = { cron, at: null, timezone }
  const first = '2027-01-01T00:00:00Z'
  // 02:59 of the first clock, when the second one shows 02:10.
  const missed = missedTimes(times, first, Date.parse('2027-10-31T01:10:00Z'))
  expect(missed).toEqual({
    count: 1001,
    last: cron === '* * * * *' ? '2027-10-31T01:10:00Z' : '2027-10-31T00:59:00Z',
  })
})
