import { type Config, readConfig } from '../src/kernel/config.ts'

/** Of the full length, so that no start has to stretch it. */
export const testKey = '5e'.repeat(32)

/** The settings of a service under test: quiet, on any free port, with nothing of this machine's environment. */
export const testConfig = (environment: Record<string, string>): Config =>
  readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '0',
    SECRET_KEY: testKey,
    DEMO: 'false',
    ...environment,
  })
