/** Short options that carry a value. */
export const CURL_VALUED = 'bcdehmortuwxyzACDEFHKPQTUXY'
export const WGET_VALUED = 'aeilotwABDIOPQRTUX'
/** `-X` and `-p` carry one in some of the family and none in others. */
export const SSH_FAMILY = {
  ssh: 'BbcDEeFIiJLlmOoPpQRSWw',
  sftp: 'BbcDFiJloPRSsX',
  scp: 'cDFiJloPSX',
}
