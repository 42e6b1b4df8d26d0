import { Compass } from 'lucide-react'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'

export const NotFound = () => (
  <Empty icon={Compass} title="There is no such page" action={<LinkButton to="/">Go home</LinkButton>}>
    The address may be mistyped, or what it showed has been deleted.
  </Empty>
)
