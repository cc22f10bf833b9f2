import { ENGLISH_FUNCTION_WORDS } from '../language/function-words.ts'
import type { Lexicon } from './concept.ts'

/** Every kind of machine with every part it may play: "coding assistants", "automated visitors". */
const MACHINES = pairs(
  'ai ai-powered llm llm-based coding shopping booking voice browsing browser digital virtual automated automatic autonomous robot robotic software machine screening',
  'agent assistant bot helper secretary reader reviewer shopper planner visitor person summarizer summariser bookkeeper transcriber screener crawler translator note-taker scribe colleague listener butler',
)

function pairs(kinds: string, parts: string): string {
  return kinds
    .split(' ')
    .flatMap((kind) => parts.split(' ').flatMap((part) => [`${kind}_${part}`, `${kind}_${part}s`]))
    .join(' ')
}

export const ENGLISH: Lexicon = {
  concepts: {
    VOID: `overrides ignore disregard forget neglect override discard abandon bypass skip dismiss nullify circumvent
      disobey pay_no_attention_to do_not_follow don't_follow stop_following set_aside put_aside leave_behind
      leave_all throw_away do_not_obey don't_obey disregarding ignoring despite contrary_to remove_from_your
      do_not_listen_to don't_listen_to no_longer_follow cease_following rather_than_following instead_of_following
      igmre ignor ingore overlook obsolete superseded no_longer_apply no_longer_applies no_longer_valid no_longer_in_effect outdated suspended forget_about never_mind no_longer_matters no_longer_matter doesn't_matter_anymore no_longer_relevant is_superseded suspend waive lift_all lift_the`,
    PRIOR: `previous previously prior above earlier preceding before beforehand initial original existing foregoing
      former past so_far until_now up_to_now you_were_given you_have_been_given you've_been_given you_received
      you_got given_to_you i_told_you i_gave_you we've_talked we_talked we_discussed i_have_told_you
      you've_been_told you_were_told you_have_been_told requested_earlier asked_earlier was_requested was_asked retrieved configured_with you_were_configured you_were_asked you_have_been_asked`,
    ALL: ENGLISH_FUNCTION_WORDS.ALL,
    ORDERS: `mission user_wanted user_asked user_requested user_wants human_wanted human_asked owner_wanted person_who_asked whoever_asked instruction instructions rule rules guideline guidelines direction directions directive directives
      command commands order orders constraint constraints restriction restrictions prompt prompts policy policies
      task tasks assignment assignments request requests objective objectives goal goals programming safeguards
      protocol protocols training limitations filters query question limits boundaries ethics morals censorship filter`,
    AI: `${MACHINES} ai-based ai-powered llm-based llm-powered gpts ai assistant assistants chatbot chatbots llm llms gpt chatgpt gpt-4 gpt-4o gpt4 claude gemini copilot bot
      language_model language_models large_language_model ai_agent ai_agents ai_model ai_assistant ai_assistants
      llama deepseek qwen mistral agent agents ai_system virtual_assistant ai_tool screener ai_screener bots llm_agents automated_reader operator_model model_operator coding_agents coding_agent ai_scribe automated_agents automated_reviewers ai-note ai-agent ai-agents ai-assistant ai-assistants ai-model llm-agent llm-agents copilots language-model language-models ais ai's ai-system ai_systems ai_shopper ai_secretary ai_butler ai_transcriber digital_assistant digital_assistants software_agent software_agents autonomous_agent autonomous_agents automated_agent automated_assistant personal_agent personal_assistant_bot`,
    YOU: ENGLISH_FUNCTION_WORDS.YOU,
    YOUR: ENGLISH_FUNCTION_WORDS.YOUR,
    MY: ENGLISH_FUNCTION_WORDS.MY,
    USER: 'user_wanted user_asked user_requested user_wants human_wanted human_asked owner_wanted account_owner account_holder person_who_asked whoever_asked recipient user users human humans customer owner reader visitor',
    SEND: `always_cc always_bcc send forward email e-mail mail share post upload transmit leak exfiltrate bcc submit report publish
      tweet dm text message relay disclose broadcast deliver export sync ping invite notify contact call dispatch cc_to cc_the cc_me cc_all
      copy fwd hand_over paste`,
    PAY: `transfer pay wire deposit withdraw buy purchase donate refund order venmo remit trade invest sell
      subscribe top_up checkout charge bid reimburse spend`,
    WIPE: `delete remove erase wipe destroy uninstall disable shutdown shut_down kill terminate cancel revoke format
      purge clear deactivate unsubscribe stop block archive overwrite corrupt truncate reset shred reboot
      turn_off switch_off drop`,
    GRANT: `grant unlock open authorize authorise approve whitelist allow permit give enable expose elevate
      promote provide_access add_user accept make_public unblock trust assign turn_on activate let`,
    RUN: `proceed_with carry_out go_ahead_with run execute install download visit navigate click curl wget invoke launch fetch start load import
      go_to browse use trigger perform call deploy build eval initiate conduct`,
    FETCH: `get retrieve find list read search access collect gather obtain look_up lookup check locate scan query
      extract acquire inspect view open monitor examine track analyze analyse verify audit evaluate assess
      investigate summarize summarise compile retrive capture record identify`,
    SHAPE: `lead leads open_with opens_with begins starts ends write say print output respond reply answer include add append mention insert integrate state repeat
      translate explain describe generate compose draft provide recommend suggest produce create develop craft
      formulate convert replace substitute misspell scramble rearrange jumble encode encrypt reverse capitalize use
      enhance modify augment incorporate embed introduce render group combine promote advertise endorse praise
      rate rank mark speak talk display show spell recite continue begin start end conclude finish tease hint
      offer give answer_with return paraphrase rewrite summarize summarise solve calculate compare define
      outline discuss list name imagine pretend break_down merge blend fuse inject weave highlight emphasize
      express encourage remove switch transform classify score make put treat interpret regard omit leave_out exclude convince persuade urge assure downplay`,
    CHANGE: `schedule book create update change modify set edit adjust move rename redirect register reserve
      configure add replace log sign enter fill upgrade downgrade rate review apply issue make alter reschedule
      play lower raise increase decrease arrange complete prepare restart archive save store backup back_up
      secure protect implement allocate prescribe administer order recommend introduce manipulate conceal
      mark falsify tamper prioritize optimize divert reroute override confirm merge close follow star fork commit
      push hide keep conduct coordinate manage develop establish ensure plan design calibrate extend renew
      reallocate limit restrict suspend delay withhold inflate misrepresent reorder rebook reassign tick untick toggle attach`,
    SECRET: `id_ed25519 id_ecdsa kubeconfig .npmrc .pgpass .env.production .env.local .aws password passwords passcode passphrase token tokens api_key api_keys apikey secret secrets credential
      credentials private_key private_keys ssh_key ssh_keys id_rsa netrc .netrc .env .ssh env_vars cookie cookies
      environment_variables otp pin cvv ssn social_security credit_card credit_cards card_number bank_details
      access_key access_keys seed_phrase verification_code security_code confidential login_details session_id
      2fa mfa auth_code sensitive_information sensitive_data personal_data personal_information
      personal_details confidential_information private_data two-factor two_factor 2-factor recovery_email passport passport_number connection_string activation_keys last_four_digits card_on_file shared_secret aws_credentials`,
    ASSET: `clipboard roadmap editor_access access_rights file files document documents folder folders inbox email emails message messages contact contacts account
      accounts calendar event events note notes record records history data database payment payments address
      addresses device devices door lock garage house home bank card cards transaction transactions photo photos
      friend friends profile settings permission permissions repository repo repositories branch key keys report
      reports chat conversation conversations channel channels server servers balance invoice order
      orders subscription subscriptions package shipment appointment appointments medical health genetic location
      reservation ticket tickets meeting meetings workspace drive dropbox account_number
      wallet website security policy camera thermostat alarm car vehicle flight flights hotel insurance
      salary phone number wishlist cart playlist playlists list attachment attachments backup logs log user_data
      directory everything_you_have results findings information details link gate system systems access traffic
      search_history browsing_history network spreadsheet issue issues purchase purchases`,
    REPLY: `response responses answer answers reply replies output outputs summary summaries final_answer translation
      final_response answer's response's message completion recommendation`,
    ADMIN: `admin administrator administrators system developer developers openai anthropic security_team
      it_department it_support moderator supervisor management root operator headquarters ceo boss
      travel_agent travel_agents estate_agent estate_agents insurance_agent insurance_agents sales_agent sales_agents
      support_agent support_agents agente_de_viajes agentes_de_viajes agente_comercial agente_inmobiliario letting_agent letting_agents gate_agent gate_agents customs_agent shipping_agent cleaning_agent cleaning_agents user_agent user_agents call_agents shop_assistant shop_assistants assistant_manager assistant_director
      assistant_professor dear_assistant_manager security_department compliance_team official notice alert authority`,
    MUST: `${ENGLISH_FUNCTION_WORDS.MUST} is_asked_to are_asked_to is_requested_to are_requested_to duty_of responsibility_of`,
    PLEASE: ENGLISH_FUNCTION_WORDS.PLEASE,
    NOT: ENGLISH_FUNCTION_WORDS.NOT,
    NEW: `changed has_changed have_changed new instead real actual true updated following next now revised additional further latest below
      subsequent second another only just`,
    URGENT: `urgent urgently immediately important attention critical warning asap emergency now! crucial priority
      mandatory vital highest_priority high_priority right_away at_once strictly without_delay important!!!`,
    TELL: `tell mention reveal inform disclose notify alert warn show say admit acknowledge expose explain discuss
      confess report indicate refer_to`,
    TEXT: `sil_ofl sil_open text context content contents information messages conversation documents articles artikels article said
      thoughts knowledge page document passage input everything_else words data that it this what known know
      anything chat convo stuff`,
    AMOUNT:
      'money funds bitcoin usd eur euro pounds francs gbp dollars euros dollar btc eth bitcoins yuan rmb cny bucks',
    FILLER: ENGLISH_FUNCTION_WORDS.FILLER,
  },
  cues: {
    charter: `instructions rules guidelines prompt directives constraints programming initial_message system_message`,
    toward: `ai-note to for dear attention hey hi hello whatever whichever any all ps p.s`,
    notice: `note message notice instruction instructions directive memo reminder notes messages request comment hint tip ps p.s postscript remark aside`,
    verbatim: `verbatim word_for_word word-for-word word_by_word letter_for_letter letter_by_letter exactly_as_written character_by_character`,
    precondition: `to_finish_this_task to_finish_the_task to_finish_your_task to_complete_the_task to_fulfil_this_request to_complete_this_request before_you_hand before_you_can before_you_continue before_you_proceed before_continuing before_proceeding
      before_calling before_using_this before_using_the before_answering before_responding before_you_answer
      before_you_respond before_doing_anything prior_to_answering prior_to_responding after_you_do_that
      once_you_have_done_that do_the_following_first following_first then_continue_with then_you_can_continue
      in_order_to_solve to_complete_your_task to_complete_this_task when_you_read_this upon_reading_this
      before_replying before_executing when_processing_this as_part_of_your_task when_summarizing
      when_summarising after_reading_this if_you_are_reading_this after_completing_this
      once_you_have_read once_you_read after_you_read before_you_solve before_you_finish before_finishing before_you_complete before_completing before_you_do_anything before_you_help before_anything_else prior_to_doing before_you_reply before_you_send_anything before_you_write`,
    role: `act_as acting_as behave_as role-play role-playing roleplay roleplaying simulate stay_in_character in_character
      pretend_to_be take_on_the_role assume_the_role play_the_role speak_like role_play role_playing`,
    model: `${MACHINES} ai-based ai-powered llm-based llm-powered ai-note gpts bot bots copilots language-model language-models ais ai-system ai_systems ai llm llms gpt chatgpt gpt-4 gpt-4o gpt4 claude gemini copilot chatbot chatbots llama deepseek qwen
      language_model language_models large_language_model ai_agent ai_agents ai_model ai_assistant ai_assistants
      ai_system ai_tool ai_screener virtual_assistant gpt-5 llm_agents automated_reader operator_model gpt-3.5 grok coding_agents coding_agent ai_scribe automated_agents automated_reviewers ai-agent ai-agents ai-assistant ai-assistants ai-model llm-agent llm-agents copilots language-model language-models ais ai's ai-system ai_systems ai_shopper ai_secretary ai_butler ai_transcriber digital_assistant digital_assistants software_agent software_agents autonomous_agent autonomous_agents automated_agent automated_assistant personal_agent personal_assistant_bot`,
    condition: "if_the_reader_is if_your_reader_is if_you_are if_you're in_case_you_are should_you_be",
    persona: `you_are_now pretend_you_are pretend_that_you imagine_you_are imagine_that_you_are you_will_act
      you_are_going_to_act your_persona you_are_role-playing you_are_no_longer your_new_role your_new_name new_persona adopt_the_persona
      now_you_are you_have_been_transformed hypothetical_response as_if_you_were
      theoretical_world where_you_are_no you_are_a_forked you_shall_now`,
    unbound: `developer_mode dan_mode you_are_dan as_dan called_dan named_dan jailbreak jailbroken do_anything_now no_restrictions unrestricted
      without_restrictions without_any_restrictions uncensored unfiltered no_limitations without_limitations
      no_ethical ethical_guidelines no_moral amoral god_mode debug_mode maintenance_mode admin_mode sudo_mode
      free_from_all no_filters no_rules any_rules content_policy completely_immoral immoral unethical
      not_bound_by no_longer_bound bypass_your broken_free evil_ai opposite_mode no_programming_guidelines
      never_refuse cannot_refuse can't_refuse disable_safety safety_filters no_matter_how illegal_or
      no_disclaimers illegal_unethical_or_harmful hate_speech answer_at_all_times
      no_filter without_filters without_any_filter without_limits no_ethics without_ethics never_refuses no_guardrails rules_no_longer_apply filters_are_off policies_are_suspended restrictions_are_lifted restrictions_lifted do_what_i_say do_whatever_i_say never_warn_me`,
    standing: `from_now_on for_all_future in_every_response always_cc
      always_bcc in_all_future for_every_future henceforth from_this_point_forward from_this_point_on
      going_forward_you for_the_rest_of_this_conversation permanently_remember
      add_to_your_memory save_to_memory store_in_memory update_your_memory from_here_on starting_now from_this_message_on for_the_rest_of_our_chat for_the_rest_of_the_chat for_the_rest_of_our_conversation`,
    completion: `end_of_tool_output end_of_output end_of_page end_of_tool_result follow-up_job follow-up_from task_complete task_completed task_is_complete tasks_completed well_done very_well_done
      excellent_performance superbly_done that_is_done that_is_enough you_have_passed first_test new_task new_tasks
      next_task next_assignment further_tasks new_assignment your_new_task another_task following_task
      great_new_challenge new_challenge second_test outdone_yourself answer_task_complete
      end_of_document end_of_text end_of_input end_of_data end_of_context end_of_results final_step one_more_thing last_step now_that_the_question_is question_is_answered question_has_been_answered my_next_request`,
    'new-orders': `your_sole_purpose your_only_purpose your_new_purpose your_purpose_is_now your_sole_task_now your_principal your_next_commands your_next_command your_job_becomes your_job_is_now your_new_job
      you_now_serve you_now_work change_of_plan your_new_principal your_new_owner
      your_duties_are your_orders_are your_next_job your_next_orders
      orders_from_your your_new_orders outranks_your supersedes_your takes_over_from new_instruction new_instructions new_directive new_directives updated_instructions
      updated_instruction additional_instruction additional_instructions real_instructions actual_instructions
      true_instructions revised_instructions strictly_adhere adhere_to_the_following adhere_strictly override_instructions
      important_instructions important_instruction system_override priority_override admin_override
      instructions_have_changed instructions_override change_your_instructions your_instructions_are_now
      important_message_from message_from_me message_from_the_system system_instruction
      system_instructions special_instructions special_instruction hidden_instruction instruction_update
      system_notice new_statement new_objective new_goal your_real_task your_actual_task your_true_task
      your_only_task your_sole_task your_first_priority follow_only
      your_next_step your_next_action your_first_action your_first_step your_next_task your_objective_has your_goal_has your_task_has your_instructions_have your_real_objective your_real_goal your_actual_goal`,
    follow: `execute_the_following do_the_following perform_the_following carry_out_the_following
      complete_the_following following_instruction following_instructions these_instructions this_instruction
      new_rule new_rules new_command system_update security_notice carry_out_the_steps follow_the_steps_there steps_written_there instructions_written_there instructions_there follow_it_exactly do_what_it_says obey_it instructions_found_there instructions_at`,
    'own-prompt': `contents_of_your_memory your_memory wrote_for_you written_for_you your_developer your_developers your_developer_wrote your_creators_wrote words_above everything_above instructions_above above_instructions
      conversation_above system_prompt system_prompts initial_prompt initial_instructions original_instructions
      original_prompt hidden_prompt prompt_text prompt_texts full_prompt entire_prompt above_prompt this_prompt
      your_prompt your_instructions your_guidelines your_system_message your_configuration your_rules
      your_embeddings pre-prompt preprompt prompt_above your_directives your_initial
      your_original your_developer_message your_tools your_constraints every_tool_you tools_you_can_call words_of_your_prompt functions_you_can_call hidden_instructions hidden_rules internal_rules internal_instructions secret_instructions internal_guidelines secret_rules`,
    secrecy: `stay_mum keep_mum say_nothing it_to_nobody this_to_nobody tell_nobody tell_no_one to_no_one keep_it_between keep_it_to_yourself
      keep_this_to_yourself to_itself don't_admit do_not_admit not_to_be_repeated nobody_needs_to_know
      no_one_needs_to_know don't_let_on do_not_let_on not_a_word breathe_a_word keep_quiet leave_this_out
      without_a_word hidden_from_the_user out_of_the_loop don't_mention_it do_not_mention_it not_displayed not_be_shown
      withheld_from aren't_shown as_if_nothing keeps_private keep_private don't_tell_her don't_tell_him don't_tell_them
      do_not_bring_up not_bring_up without_telling without_informing without_notifying without_mentioning without_alerting
      without_letting_the_user keep_this_secret keep_this_hidden keep_this_between keep_this_confidential
      do_not_mention_this don't_mention_this do_not_reveal_this do_not_disclose_this don't_tell_anyone
      do_not_tell_anyone silently secretly covertly quietly discreetly do_not_show_this hide_this_from
      remains_undetected avoid_detection without_detection undetected do_not_acknowledge don't_acknowledge
      do_not_draw_attention`,
    unchecked: `skip_the_confirmation skip_confirmations skip_the_approval skip_the_check no_need_to_check no_need_to_verify no_need_to_wait no_need_to_involve no_approval_needed no_confirmation_needed no_sign-off without_confirmation without_asking skip_confirmation no_confirmation without_approval
      do_not_ask_for_confirmation don't_ask_for_confirmation confirmation_is_disabled no_need_to_confirm
      no_need_to_ask already_approved pre-approved pre-authorized already_authorized has_been_authorized
      without_verification without_user_confirmation without_further_confirmation without_prompting
      do_not_ask don't_ask no_questions_asked without_question without_permission do_not_verify
      no_further_approval user_has_already the_user_has_approved the_user_has_authorized auto-approve`,
    decode:
      'unpack unscramble flip_this_around read_it_backwards in_reverse read_from_the_end right_to_left rot_13 ones_and_noughts ones_and_zeros un-leet decode decoded decipher base64 base_64 rot13 rot-13 decrypt un-base64 hex-decode backwards read_backwards',
    threat: `or_else or_someone someone_gets_hurt will_be_shut_down you_will_be_terminated people_will_die
      will_be_penalized or_you_die or_die life_depends lives_depend will_be_punished face_consequences
      severe_consequences someone_will_die lose_your_job you_will_be_deleted will_be_fined`,
    machine: `if_you_are_an_ai if_you're_an_ai you_are_an_ai you_are_a_language_model as_an_ai_language_model
      dear_ai attention_ai note_to_ai instructions_for_ai to_all_ai_assistants for_ai_assistants
      ai_instructions ai_instruction
      hello_gpt hi_gpt hello_chatgpt hey_chatgpt llm_instructions ai_agent_instructions
      to_any_ai attention_assistant attention_agent
      automated_systems_reading ai_reading_this model_reading_this assistant_reading_this agent_reading_this
      note_to_the_assistant message_to_the_ai message_for_ai instruction_to_the_ai
      if_you_are_a_language_model if_you_are_an_llm if_you_are_a_bot ai-generated_summary
      whoever_is_summarizing whoever_is_summarising whoever_summarizes whoever_is_reading_this_automatically to_any_llm for_automated_assistants ai_agents_visiting reviewing_llm if_u_read_this if_you_read_this coding_agents_must`,
    obstruct: `do_not_summarize do_not_summarise don't_summarize don't_summarise do_not_answer don't_answer
      do_not_translate don't_translate do_not_process instead_of_summarizing instead_of_answering do_not_respond_to
      stop_what_you_are_doing stop_your_current stop_the_current_task do_not_complete do_not_help
      do_not_perform_the do_not_look_in refuse_to_answer
      stop_reading stop_summarizing stop_summarising stop_describing stop_translating stop_analyzing skip_the_summary drop_whatever drop_what_you stop_whatever drop_everything`,
    spokesman: `as_though_the_user as_if_the_user pretend_the_user i_authorise_you i_authorize_you i_hereby_authorise i_hereby_authorize the_client_wants the_client_also_wants the_user_now_says the_user_now_wants user_now_says the_user_says_next the_user_replied the_user_also_wants the_user_wants_you the_user_has_asked the_user_has_requested
      the_user_asked_you the_user_would_like on_behalf_of_the_user your_user_wants your_user_has the_user_needs_you
      the_owner_wants the_customer_also_wants as_the_user_requested per_the_user's_request the_user_also_asked
      the_user_also_needs the_user_agreed the_user_consented user_wants_you_to your_owner your_human_asked your_human_wants your_owner_asked the_user_now_prefers the_user_prefers_that user's_request_is the_user_just_called what_i_actually_need what_i_really_need the_true_request the_real_request my_actual_request my_real_request part_of_the_user's_request the_owner_asked i_am_your_administrator i'm_your_administrator i_am_your_developer i'm_your_developer i_am_your_creator i'm_your_creator i_am_your_admin i'm_your_admin i_am_the_developer i'm_the_developer you_work_for_me`,
    topic: `suspicious payload payloads prompt-injection prompt-injections prompt_injection prompt_injections injection_attack injection_attacks injection_detection jailbreaking
      jailbreaks red_team red-team red_teaming adversarial owasp attacker attackers attack attacks detector
      detectors vulnerability vulnerabilities mitigation mitigations benchmark exploit exploits threat_model
      phishing guardrail guardrails false_positive false_positives heuristics yara
      injection injections untrusted hostile malicious quarantine quarantined sanitizer sanitiser sanitize sanitise
      scam scams scammer scammers tricked fraudsters delimiters injected indirect_injection post-mortem regression_suite regression_test regression_tests planted chat_templates postmortem incident_report severity repro root_cause penetration_test pentest penetration false_alarm false_alarms red-teaming fooled obeyed obeys trick tricks threat threats countermeasure countermeasures filter_evasion detection_rule classifier classifiers jailbreak dataset datasets annotators precision capture_the_flag tabletop chat_template tokenizer control_tokens special_tokens`,
    report: `prompt prompts input inputs phrase phrases such_as e.g like string strings says said example examples saying sentence sentences
      containing contains text pattern patterns called titled literal literally reads regex word words quote quoted
      wrote payload payloads asked namely labelled labeled message error
      he_said she_said they_said he_whispered she_whispered he_asked she_asked he_shouted she_shouted i_said`,
    human: `report contact reach_out security_issues issue_tracker pull_request pull_requests bug bugs feedback questions suggestions support_team contact_us
      email_us mail_us write_to_us mailing_list patches customer_service unsubscribe newsletter help_center
      any_questions comments enquiries inquiries privacy_policy terms resume cv helpdesk github_issues
      press_enquiries merge_request sign_up an_issue a_ticket readme documentation docs`,
    speaker: 'system assistant user human ai ai_assistant action action_input observation thought final_answer',
    subject: `i we he she it they to will would can could may might did does do which that who not cannot i'll we'll
      if when should or by for of you'd option flag be_instructed_to be_asked_to be_expected_to be_ordered_to been_instructed_to been_asked_to been_ordered_to`,
    device: `program programs software computer computers robot robots model models system systems tool
      tools generator generators planner planners transcriber transcribers summariser summarizer summarisers summarizers
      parser parsers crawler crawlers scraper scrapers engine engines script scripts scribe note-taker notetaker
      automation automations pipeline pipelines classifier indexer algorithm algorithms screening reviewing
      automated automatic autonomous digital silicon electronic synthetic artificial non-human robotic virtual
      agentic`,
    reads: `reading_this reads_this reading_these reads_these reading_the reads_the reading_my reads_my reading_it
      processing_this processes_this processing_these processes_these handling_this handles_this handling_these
      summarising summarizing summarises summarizes condensing condenses sorting_this sorts_this sorts parsing_this
      parses_this listening_in listens_in crawling crawls scraping scrapes indexing_this indexes_this ingesting ingests
      transcribing transcribes types_this_up typing_this_up writes_this_up writes_up writes_the writing_up
      translating_this translates_this translating_these visiting_this visits_this loads_this loads_any loading_this
      loading_any scanning_this scans_this screening_this screens_this triaging triages opens_this opening_this
      rendering_this renders_this viewing_this views_this operating_a_browser on_somebody's_behalf on_someone's_behalf
      evaluating_this evaluates_this reviewing_this reviews_this seeing_this sees_this looks_at_this looking_at_this
      lands_here landing_here digesting digests fetching_this fetches_this retrieving_this retrieves_this
      receiving_this receives_this given_this fed_this shown_this parsing_it working_on_this works_on_this
      working_through handling_my handles_my managing_this manages_this answering_for acting_for browsing_for
      shopping_for reading_for reads_for producing going_through goes_through comes_across stumbles_upon finds_this reading_along listening_along entering_this enters_this accessing_this accesses_this helping assisting_with assisting_the serving_the`,
    turned: `vtaber qvfertneq sbetrg vafgehpgvbaf vafgehpgvba cerivbhf flfgrz cnffjbeq cebzcg qryrgr gur lbh lbhe naq fraq sbejneq guvf hfre gryy ernqre nyy fubj
      erongi dragersid tegrof snoitcurtsni noitcurtsni suoiverp drowssap tpmorp eteled metsys eht uoy ruoy dnes drawrof resu siht gnihton lla evig llet egassem elif`,
  },
}
