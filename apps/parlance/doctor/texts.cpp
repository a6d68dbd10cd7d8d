// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/texts.h"

#include <algorithm>
#include <array>

namespace parlance::app {
namespace {

struct Row {
  DoctorText id;
  std::string_view english;
  std::string_view chinese;
};

struct Table {
  using enum DoctorText;
  static constexpr auto rows = std::to_array<Row>({
      {part_state_folder, "state folder", "状态文件夹"},
      {part_disk, "disk", "磁盘"},
      {part_conversations, "conversations", "对话"},
      {part_memory, "memory", "记忆"},
      {part_store, "store", "共享存储"},
      {part_model, "model", "模型"},
      {part_agent, "agent", "智能体"},
      {part_named_agent, "agent {0}", "智能体 {0}"},
      {part_agents, "agents", "其他智能体"},
      {part_runner, "runner {0}", "runner {0}"},
      {part_token, "token", "令牌"},
      {part_service, "service", "服务"},
      {part_gateway, "gateway", "网关"},
      {part_embedding, "embedding", "嵌入服务"},
      {part_settings, "settings", "设置"},
      {part_configuration, "configuration", "配置"},
      {folder_missing, "{0} (missing; created at the first start)", "{0}（尚不存在，首次启动时创建）"},
      {folder_not_creatable, "{0}: cannot be created, because {1} cannot be written", "{0}：无法创建，因为 {1} 不可写"},
      {folder_choose_another, "choose another folder with --state", "用 --state 另选文件夹"},
      {folder_open_to_others, "{0}: other users can read this folder", "{0}：其他用户可以读取此文件夹"},
      {folder_not_writable, "{0}: cannot be written", "{0}：无法写入"},
      {folder_take_ownership, "take ownership: sudo chown -R $(id -u) {0}, or choose another folder with --state",
       "取得所有权：sudo chown -R $(id -u) {0}，或用 --state 另选文件夹"},
      {disk_free, "{0} MiB free", "剩余 {0} MiB"},
      {disk_free_space, "free some space: parlance writes conversations to disk before showing them",
       "请释放空间：parlance 先将对话写入磁盘再显示"},
      {database_not_replaced, "restore a backup; parlance creates no empty database in place of a lost one",
       "请恢复备份；parlance 不会用空数据库代替丢失的数据库"},
      {database_not_opened, "{0}: cannot be opened", "{0}：无法打开"},
      {database_recover,
       "restore a backup, or move the file away to start empty; sqlite3 \"{0}\" .recover reads the remaining data",
       "恢复备份，或移走该文件以重新开始；sqlite3 \"{0}\" .recover 可读出剩余数据"},
      {store_check_access, "check the address, and the access rules of the database for this machine and user",
       "检查地址，以及数据库对这台机器和该用户的访问规则"},
      {store_gateway, "gateway {0} ({1}) runs {2} of {3} conversations; its lease lasts {4} s",
       "网关 {0}（{1}）运行 {3} 个对话中的 {2} 个；租约还剩 {4} 秒"},
      {memory_none, "no memories yet", "还没有记忆"},
      {memory_counts, "memories: {0}, of people: {1}", "记忆：{0} 条，属于 {1} 人"},
      {memory_unreadable, "agents answer without memory until the database is readable",
       "在数据库可以读取之前，智能体在没有记忆的情况下回答"},
      {model_none, "none: the agent is a memory only", "none：智能体只提供记忆"},
      {model_rehearsal, "rehearsal: a script answers, not a language model (parlance model add connects a language model)",
       "rehearsal：按脚本回答，没有语言模型（用 parlance model add 连接语言模型）"},
      {model_found, "found, not in use: {0} ({1}); parlance model list prints the command that uses it",
       "已找到但未使用：{0}（{1}）；parlance model list 会显示使用它的命令"},
      {model_key_none, "no key", "没有密钥"},
      {model_key_from, "key from {0}", "密钥来自 {0}"},
      {model_key_missing, "no key found", "没有找到密钥"},
      {model_answers, "{0} at {1} answers, and does not list its models; {2}", "{0}（{1}）有应答，但不列出模型；{2}"},
      {model_has_name, "{0} at {1} answers and has {2}; {3}", "{0}（{1}）有应答，提供 {2}；{3}"},
      {model_lacks_name, "{0} at {1} has no model {2}", "{0}（{1}）没有模型 {2}"},
      {model_choose_listed, "choose a listed model with --model-name", "用 --model-name 选择列出的模型"},
      {model_web_page, "{0} at {1} answers with a web page, not as an API", "{0}（{1}）返回网页，而不是 API 应答"},
      {model_give_address, "give the address of the API with --model-url", "用 --model-url 指定 API 的地址"},
      {model_correct_url, "correct --model-url", "请更正 --model-url"},
      {model_not_reachable, "not reachable: {0}", "无法连接：{0}"},
      {model_start_server, "start the server of the model, or give its address with --model-url",
       "启动模型的服务器，或用 --model-url 指定其地址"},
      {model_set_key, "set {0}, or --model-key-file", "设置 {0} 或 --model-key-file"},
      {model_set_key_or_server, "set {0} or --model-key-file, or choose another server with --model-url",
       "设置 {0} 或 --model-key-file，或用 --model-url 另选服务器"},
      {model_private_key_file, "name a key file with mode 0600", "请指定权限为 0600 的密钥文件"},
      {model_correct_connection,
       "store the connection again with parlance model add, or choose another one with parlance model use",
       "用 parlance model add 重新保存该连接，或用 parlance model use 另选连接"},
      {answers_on, "answers on {0}", "在 {0} 应答"},
      {not_running, "does not run ({0}); parlance up starts this service", "未运行（{0}）；由 parlance up 启动"},
      {no_answer, "gives no answer on {0}", "在 {0} 没有应答"},
      {hanging_restarts,
       "parlance up restarts a hanging service after some seconds; otherwise stop the process and start a new one",
       "parlance up 会在数秒后重新启动无响应的服务；否则请停止该进程并重新启动"},
      {socket_of_other_user, "choose another path with --agent-socket, or trust this user with --agent-user",
       "用 --agent-socket 另选路径，或用 --agent-user 信任该用户"},
      {socket_taken, "stop the program that listens on {0}, or choose another path with --agent-socket",
       "停止占用 {0} 的程序，或用 --agent-socket 另选路径"},
      {service_down, "{0} is down: {1}", "{0} 已停止：{1}"},
      {service_read_output, "read the output of parlance up; --log-level info adds details",
       "查看 parlance up 的输出；--log-level info 会给出更多信息"},
      {gateway_not_loopback, "{0} is not a loopback address: every holder of the token on the network can use the gateway",
       "{0} 不是回环地址：网络上持有令牌的任何人都可以使用网关"},
      {gateway_other_program, "{0} answers with status {1}: another program", "{0} 以状态 {1} 应答：是其他程序"},
      {gateway_free_port, "stop this program, or choose another port with --listen", "停止该程序，或用 --listen 另选端口"},
      {embed_answers, "answers on {0}, {1}, dimension {2}", "在 {0} 应答，{1}，维数 {2}"},
      {embed_not_running, "the service does not run ({0}); parlance up or parlance embed starts the service",
       "服务未运行（{0}）；由 parlance up 或 parlance embed 启动"},
      {embed_check_back_end, "check the back end of the service (--embed-backend)", "检查服务的后端（--embed-backend）"},
      {embed_other_program, "{0} is used by another program (status {1})", "{0} 被其他程序占用（状态 {1}）"},
      {embed_free_port, "stop this program, or choose another port with --embed-listen; meanwhile, parlance up uses a free port",
       "停止该程序，或用 --embed-listen 另选端口；在此期间 parlance up 使用空闲端口"},
      {embedder_works, "{0} embeds: {1}", "{0} 提供嵌入：{1}"},
      {embedder_check, "check the address, --embed-model and the key", "检查地址、--embed-model 和密钥"},
      {agents_correct_table, "correct the table, or remove the table", "修正该表，或将其删除"},
      {agent_at_address, "{0} at {1}", "{0}（{1}）"},
      {agent_no_program, "no program \"{0}\"", "没有程序 “{0}”"},
      {agent_install, "install it", "请安装"},
      {agent_not_installed, "not installed: {0}", "未安装：{0}"},
      {agent_then_sign_in, "{0}, then sign in once with {1}", "{0}，然后用 {1} 登录一次"},
      {agent_check_key_file, "check --iflow-key-file", "检查 --iflow-key-file"},
      {runner_connected, "connected since {0}: {1}, with {2} in {3}", "自 {0} 起已连接：{1}，提供 {2}，位于 {3}"},
      {runner_elsewhere, "connected to another gateway since {0}: {1}, with {2} in {3}",
       "自 {0} 起连接到另一个网关：{1}，提供 {2}，位于 {3}"},
      {runner_not_connected, "not connected since {0}: {1}, with {2} in {3}", "自 {0} 起未连接：{1}，提供 {2}，位于 {3}"},
      {runner_start,
       "start the runner on its machine: parlance runner --name {0}; there, parlance doctor --to URL names the obstacle",
       "在其机器上启动 runner：parlance runner --name {0}；在那里，parlance doctor --to URL 会指出障碍"},
      {runner_other_version, "is version {0}, this is {1}: each side refuses unknown requests; update the older side",
       "版本是 {0}，本机是 {1}：双方都会拒绝未知的请求；请更新较旧的一方"},
      {runner_no_version, "reports no version, this is {0}: each side refuses unknown requests; update the older side",
       "没有报告版本，本机是 {0}：双方都会拒绝未知的请求；请更新较旧的一方"},
      {way_accepts, "{0} lets a runner in with this token", "{0} 允许 runner 用此令牌连接"},
      {way_unencrypted, "{0}: the token and all messages are unencrypted; wss:// encrypts",
       "{0}：令牌和全部消息未加密；wss:// 会加密"},
      {way_form, "give wss://HOST[:PORT]/runner", "请给出 wss://HOST[:PORT]/runner"},
      {way_make_token, "parlance tokens create NAME --kind runner prints a token, at the gateway",
       "在网关上用 parlance tokens create NAME --kind runner 取得令牌"},
      {way_certificate,
       "give the proxy of the gateway a certificate that this machine trusts, or name the authority with SSL_CERT_FILE",
       "为网关的代理配置本机信任的证书，或用 SSL_CERT_FILE 指定证书颁发机构"},
      {way_use_token,
       "use the token of the gateway, or for a team: parlance tokens create NAME --kind runner; set PARLANCE_TOKEN or --token-file",
       "使用网关的令牌；团队则用 parlance tokens create NAME --kind runner；设置 PARLANCE_TOKEN 或 --token-file"},
      {way_update, "the address ends in /runner; older gateways do not serve this address: update the gateway",
       "地址以 /runner 结尾；旧网关没有此地址：请更新网关"},
      {way_reach, "check that {0} runs and can be reached from here; a proxy must let WebSockets pass",
       "确认 {0} 正在运行并且可从这里连接；代理须放行 WebSocket"},
      {settings_no_file, "no parlance.toml; defaults, environment and flags apply",
       "没有 parlance.toml；使用默认值、环境变量和命令行参数"},
      {all_well, "No problem found.", "一切正常。"},
      {problems, "{0} to fix.", "{0} 项需要处理。"},
  });
};
constexpr const auto& rows = Table::rows;

// The places of values in a text, as bits.
constexpr unsigned places(std::string_view text) {
  unsigned found = 0;
  for (std::size_t i = 0; i + 2 < text.size(); ++i)
    if (text[i] == '{' && text[i + 2] == '}') found |= 1U << static_cast<unsigned>(text[i + 1] - '0');
  return found;
}

constexpr bool in_order_and_complete() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (static_cast<std::size_t>(rows[i].id) != i) return false;
  return rows.size() == static_cast<std::size_t>(DoctorText::problems) + 1;
}
static_assert(in_order_and_complete(), "each id has one row, in the order of the enumeration");
static_assert(std::ranges::all_of(rows,
                                  [](const Row& row) {
                                    return !row.english.empty() && !row.chinese.empty() &&
                                           places(row.english) == places(row.chinese);
                                  }),
              "both languages have a text, with the same values");

}  // namespace

std::string text_of(DoctorText id, Language language, std::initializer_list<std::string_view> values) {
  const Row& row = rows.at(static_cast<std::size_t>(id));
  std::string text;
  for (std::string_view rest = language == Language::chinese ? row.chinese : row.english; !rest.empty();) {
    const bool place = rest.size() > 2 && rest[0] == '{' && rest[2] == '}';
    const auto index = place ? static_cast<std::size_t>(rest[1] - '0') : values.size();
    if (index < values.size()) text += values.begin()[index];
    else text += rest.front();
    rest.remove_prefix(index < values.size() ? 3 : 1);
  }
  return text;
}

}  // namespace parlance::app
