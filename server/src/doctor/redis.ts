import { ConfigError } from '../kernel/config.ts'
import { createLog } from '../kernel/log.ts'
import { connectRedis } from '../kernel/redis.ts'
import { type Check, fail, ok } from './check.ts'

export async function inspectRedis(url: string): Promise<Check[]> {
  try {
    const redis = await connectRedis(url, createLog('silent').log)
    const [, version] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? []
    redis.disconnect()
    return [ok('Redis', version ?? 'reachable')]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [
      fail('Redis', error.message, 'Start Redis, or correct REDIS_URL. Without REDIS_URL, Postgres does its work.'),
    ]
  }
}
