/** Short options that take a value. */
export const CURL_VALUED = 'bcdehmortuwxyzACDEFHKPQTUXY'
export const WGET_VALUED = 'aeilotwABDIOPQRTUX'
/** `-X` and `-p` take a value in some of these programs and none in others. */
export const SSH_FAMILY = {
  ssh: 'BbcDEeFIiJLlmOoPpQRSWw',
  sftp: 'BbcDFiJloPRSsX',
  scp: 'cDFiJloPSX',
}
