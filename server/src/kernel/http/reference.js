// The sign-in link carries the token in the fragment, which is not sent to the server. It is read once and removed.
const given = new URLSearchParams(location.hash.slice(1)).get('token')
if (given) {
  sessionStorage.setItem('parley-token', given)
  history.replaceState(null, '', location.pathname)
}
const token = sessionStorage.getItem('parley-token')
window.ui = window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: !given,
  docExpansion: 'none', // with more than 132 operations in open groups, Swagger UI shows the first groups only
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => token && window.ui.preauthorizeApiKey('bearer', token),
})
