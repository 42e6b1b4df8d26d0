import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { closedPort } from './closed-port.ts'
import { startService, until } from './harness.ts'
import { type RedisServer, startRedisServer } from './services/redis.ts'
import { startTcpProxy } from './tcp-proxy.ts'

async function startRedis(): Promise<RedisServer> {
  const redis = await startRedisServer()
  onTestFinished(() => redis.remove())
  return redis
}

it('shares one limit between processes through Redis, and keeps working when Redis is down', async () => {
  const redis = await startRedis()
  const environment = { RATE_LIMIT: '10', REDIS_URL: redis.url, ADMIN_TOKEN: 'one-token-for-both' }
  const one = await startService({ environment })
  const two = await startService({ environment })
  const { id } = (await one.get('/tokens')).body.data[0]
  // The processes have separate databases, so the token gets the same ID by hand.
  await two.ctx.db.updateTable('token').set({ id }).execute()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).get('/agents')))
  expect(answers.filter((answer) => answer.status === 200).length).toBe(9)
  await redis.stop()
  expect((await one.get('/agents')).status).toBe(200)
})

it('does not start if REDIS_URL is unreachable', async () => {
  const start = startService({ environment: { REDIS_URL: `redis://127.0.0.1:${await closedPort()}` } })
  await expect(start).rejects.toThrow(/REDIS_URL cannot be reached/)
})

it('answers while Redis is silent, and counts there again when it is back', async () => {
  const redis = await startRedis()
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(redis.url).port) })
  const environment = { RATE_LIMIT: '1000', REDIS_URL: `redis://127.0.0.1:${proxy.port}` }
  const service = await startService({ environment })
  const remaining = async () => {
    const { status, headers } = await service.get('/agents')
    expect(status).toBe(200)
    return Number(headers.get('x-ratelimit-remaining'))
  }
  expect(await remaining()).toBe(999)
  expect(await remaining()).toBe(998)
  proxy.drop('open')
  expect(await remaining()).toBe(999) // in memory
  await until(async () => (await remaining()) < 998 && (await redisCount(redis.url)) > 2)
})

async function redisCount(url: string): Promise<number> {
  const redis = new Redis(url)
  const counts = await Promise.all((await redis.keys('limit*')).map(async (key) => Number(await redis.get(key))))
  redis.disconnect()
  return Math.max(0, ...counts)
}
