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

describe('sign-in', () => {
  const client = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'parley' }

  it('needs an issuer and a client, and JWTs as tokens need an audience', () => {
    expect(readConfig(client).oidc).toMatchObject({ audience: null, client: { id: 'parley', name: 'login.example' } })
    const both = readConfig({ ...client, OIDC_AUDIENCE: 'api', OIDC_CLIENT_SECRET: 's', OIDC_SCOPES: 'openid  email' })
    expect(both.oidc).toMatchObject({ audience: 'api', client: { secret: 's', scopes: 'openid email' } })
    expect(readConfig({ OIDC_ISSUER: 'https://login.example', OIDC_AUDIENCE: 'api' }).oidc?.client).toBeNull()
    expect(readConfig({ PUBLIC_URL: 'https://Parley.example:8443/' }).publicUrl).toBe('https://parley.example:8443')
  })

  it.each<[Record<string, string>, RegExp]>([
    [{ OIDC_CLIENT_ID: 'parley' }, /OIDC_CLIENT_ID requires OIDC_ISSUER/],
    [{ OIDC_AUDIENCE: 'parley' }, /Set both OIDC_ISSUER and OIDC_AUDIENCE/],
    [{ OIDC_CLIENT_SECRET: 's' }, /OIDC_CLIENT_SECRET requires OIDC_CLIENT_ID/],
    [{ OIDC_GROUPS_CLAIM: 'groups' }, /OIDC_GROUPS_CLAIM requires OIDC_ISSUER/],
    [{ ...client, OIDC_ISSUER: 'login.example' }, /OIDC_ISSUER must be a URL/],
    [{ ...client, OIDC_SCOPES: 'email' }, /OIDC_SCOPES must be scopes separated by spaces, with openid/],
    [{ ...client, OIDC_LOGIN_PARAMS: 'hd=acme.example&state=x' }, /must not contain state/],
    [{ PUBLIC_URL: 'https://a.example/chat' }, /PUBLIC_URL must be the address that people open/],
    [{ PUBLIC_URL: 'parley.example' }, /PUBLIC_URL must be/],
  ])('rejects %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message)
  })
})

describe('a setting that is wrong', () => {
  it.each<[Record<string, string>, RegExp]>([
    [{ PORT: 'high' }, /PORT must be a whole number from 0 to 65535, but is "high"/],
    [{ PORT: '70000' }, /PORT must be/],
    [{ RATE_LIMIT: '-1' }, /RATE_LIMIT must be/],
    [{ ROLE: 'king' }, /ROLE must be one of all, api, worker/],
    [{ ROLE: 'worker' }, /ROLE=worker requires DATABASE_URL/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be a URL that starts with postgres/],
    [{ OIDC_ISSUER: 'https://a' }, /Set both OIDC_ISSUER and OIDC_AUDIENCE/],
    [{ OIDC_DEFAULT_ROLE: 'king' }, /OIDC_DEFAULT_ROLE must be one of/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
    [{ DEMO: 'maybe' }, /DEMO must be one of true, false/],
    [{ CORS_ORIGINS: 'example.com' }, /CORS_ORIGINS must be/],
  ])('%j is named in the error', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message)
  })
})

describe('mail', () => {
  const from = { SMTP_FROM: 'parley@example.com', PUBLIC_URL: 'https://parley.example' }

  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, auth: null }],
    ['smtps://a%40b:p%3Aw@mail.example', { port: 465, secure: true, auth: { user: 'a@b', pass: 'p:w' } }],
    ['smtp://u:p@[::1]:25', { host: '::1', port: 25 }],
  ])('is sent through %s', (SMTP_URL, settings) => {
    expect(readConfig({ ...from, SMTP_URL }).mail).toMatchObject({ ...settings, from: 'parley@example.com' })
  })

  it.each<[Record<string, string>, RegExp]>([
    [{ SMTP_URL: 'smtp://mail.example' }, /Set both SMTP_URL and SMTP_FROM/],
    [{ SMTP_FROM: 'parley@example.com' }, /Set both SMTP_URL and SMTP_FROM/],
    [{ ...from, PUBLIC_URL: '', SMTP_URL: 'smtp://mail.example' }, /SMTP_URL requires PUBLIC_URL/],
    [{ ...from, SMTP_URL: 'https://mail.example' }, /SMTP_URL must be a URL that starts with smtp:/],
    [{ ...from, SMTP_URL: 'smtp://user@mail.example' }, /SMTP_URL must be smtps:/],
    [{ ...from, SMTP_URL: 'smtp://u:100%@mail.example' }, /Encode special characters/],
    [{ ...from, SMTP_URL: 'smtp://mail.example/inbox' }, /SMTP_URL must be smtps:/],
    [{ ...from, SMTP_URL: 'smtp://mail.example', SMTP_FROM: 'Parley' }, /SMTP_FROM must be an e-mail address/],
  ])('rejects %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message)
  })
})
