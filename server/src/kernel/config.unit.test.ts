import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const allowed = (value: string) => readConfig({ EGRESS_ALLOW: value }).egressAllow

describe('EGRESS_ALLOW', () => {
  it.each([
    'intranet.example',
    '*.Intranet.example:8080',
    'localhost',
    'host_1',
    '4you.example',
    'a.0xyz',
    '10.1.2.3',
    '10.1.2.3:80',
    '10.0.0.0/8',
    'fd00::1',
    '[fd00::1]:443',
    'fd00::/8',
  ])('accepts %s', (value) => {
    expect(allowed(value)).toEqual([value.toLowerCase()])
  })

  it.each([
    '300.1.1.1',
    '127.1',
    '0x7f000001',
    '0X7F.1:80',
    '2130706433',
    '127.0.0.01',
    '1.2.3.4.5',
    '*.0.0.1',
    'intranet.1',
    'a..example',
    '10.0.0.0/99',
    '10.1/16',
    '10.1.2.3:0',
    '[10.1.2.3]',
    'http://intranet.example',
  ])('rejects %s, which could never match', (value) => {
    expect(() => allowed(`intranet.example, ${value}`)).toThrow(`but has "${value}"`)
  })
})

describe('PORT', () => {
  const cluster = { DATABASE_URL: 'postgres://db/parley' }

  it.each([
    [{}, 3000],
    [{ PORT: '80' }, 80],
    [{ ...cluster, ROLE: 'api' }, 3000],
    [{ ...cluster, ROLE: 'worker' }, null],
    [{ ...cluster, ROLE: 'worker', PORT: '3001' }, 3001],
  ])('of %j is %s', (environment, port) => {
    expect(readConfig(environment).port).toBe(port)
  })
})
