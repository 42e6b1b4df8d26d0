import { Compass } from 'lucide-react'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'

export const NotFound = () => (
  <Empty icon={Compass} title="Page not found" action={<LinkButton to="/">Go home</LinkButton>}>
    Check the URL. The page may have been moved or deleted.
  </Empty>
)
