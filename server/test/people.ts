import { type Json, type Service, until } from './harness.ts'

export const userNamed = async ({ get }: Pick<Service, 'get'>, userId: string): Promise<Json> =>
  (await get(`/users?user_id=${encodeURIComponent(userId)}`)).body.data[0]

export const finished = ({ get }: Pick<Service, 'get'>, id: string): Promise<Json> =>
  until(async () => {
    const { data } = (await get(`/user-jobs/${id}`)).body
    return ['completed', 'failed'].includes(data.status) && data
  })
