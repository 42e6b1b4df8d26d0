import { type Config, readConfig } from '../src/kernel/config.ts'

/** 32 bytes, so that no start has to derive a key. */
export const testKey = '5e'.repeat(32)

/** The settings of a service under test: any free port, nothing from this machine's environment. */
export const testConfig = (environment: Record<string, string>): Config =>
  readConfig({
    PORT: '0',
    LOG_LEVEL: 'info',
    RATE_LIMIT: '0',
    SECRET_KEY: testKey,
    DEMO: 'false',
    ...environment,
  })
