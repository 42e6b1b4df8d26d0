import { type Config, readConfig } from '../src/kernel/config.ts'

/** The settings of a service under test: quiet, on any free port, with nothing of this machine's environment. */
export const testConfig = (environment: Record<string, string>): Config =>
  readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '0',
    SECRET_KEY: 'a key for tests',
    DEMO: 'false',
    ...environment,
  })
