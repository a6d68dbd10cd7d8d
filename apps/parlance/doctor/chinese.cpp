// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/chinese.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "parlance/base/text.h"

namespace parlance::app {
namespace {

// `*` is whatever stands there, in the same order in both. The first that fits counts.
constexpr auto phrases = std::to_array<std::pair<std::string_view, std::string_view>>({
    // what was looked at
    {"state folder", "状态文件夹"},
    {"disk", "磁盘"},
    {"conversations", "对话"},
    {"memory", "记忆"},
    {"store", "共享存储"},
    {"model", "模型"},
    {"agent", "智能体"},
    {"agent *", "智能体 *"},
    {"agents", "其他智能体"},
    {"runner *", "runner *"},
    {"token", "令牌"},
    {"service", "服务"},
    {"gateway", "网关"},
    {"embedding", "嵌入服务"},
    {"settings", "设置"},
    {"configuration", "配置"},
    // what was found
    {"* (not there yet; made at the first start)", "*（尚不存在，首次启动时创建）"},
    {"*: other users may look into it", "*：其他用户可以查看"},
    {"*: cannot be written", "*：无法写入"},
    {"*: cannot be opened", "*：无法打开"},
    {"* MiB free", "剩余 * MiB"},
    {"none: the agent is memory alone", "none：智能体只有记忆"},
    {"rehearsal: scripted, no language model answers (--model openai or anthropic for a real one)",
     "rehearsal：按脚本回答，没有语言模型（--model openai 或 anthropic 使用真正的模型）"},
    {"not connected since *: *, with * in *", "自 * 起未连接：*，提供 *，位于 *"},
    {"connected to another gateway since *: *, with * in *", "自 * 起连接到另一个网关：*，提供 *，位于 *"},
    {"connected since *: *, with * in *", "自 * 起已连接：*，提供 *，位于 *"},
    {"start it on its machine: parlance runner --name *; there, parlance doctor --to URL says what is in the way",
     "在其机器上启动：parlance runner --name *；在那里，parlance doctor --to URL 说明障碍何在"},
    {"is version *, this is *: what only one of them knows is refused in words; update the older one",
     "版本是 *，本机是 *：只有一方知道的请求会被明确拒绝；请更新较旧的一方"},
    {"does not say its version, this is *: what only one of them knows is refused in words; update the older one",
     "没有说明版本，本机是 *：只有一方知道的请求会被明确拒绝；请更新较旧的一方"},
    {"* lets a runner in with this token", "* 允许 runner 用此令牌连接"},
    {"*: the token and all that is said go unencrypted; wss:// encrypts", "*：令牌和全部内容未经加密传输；wss:// 会加密"},
    {"give wss://HOST[:PORT]/runner", "请给出 wss://HOST[:PORT]/runner"},
    {"parlance tokens create NAME --kind runner prints one, at the gateway",
     "在网关上用 parlance tokens create NAME --kind runner 取得令牌"},
    {"give the gateway's proxy a certificate that this machine trusts, or name the authority with SSL_CERT_FILE",
     "为网关的代理配置本机信任的证书，或用 SSL_CERT_FILE 指定证书颁发机构"},
    {"take the gateway's token, or of a team: parlance tokens create NAME --kind runner; put it into PARLANCE_TOKEN or "
     "--token-file",
     "使用网关的令牌；团队则用 parlance tokens create NAME --kind runner；放入 PARLANCE_TOKEN 或 --token-file"},
    {"the address ends in /runner; a gateway from before there were runners has none: update it",
     "地址以 /runner 结尾；没有 runner 功能的旧网关没有此地址：请更新"},
    {"see that * is up and can be reached from here; a proxy has to let WebSockets through",
     "确认 * 正在运行并且可从这里连接；代理须放行 WebSocket"},
    {"not reachable: *", "无法连接：*"},
    {"no key found", "没有找到密钥"},
    {"* answers, and does not list its models; *", "* 有应答，但不列出模型；*"},
    {"* answers and has *; *", "* 有应答，提供 *；*"},
    {"* answers; *", "* 有应答；*"},
    {"* has no model *", "* 没有模型 *"},
    {"answers on *, dimension *", "在 * 应答，维数 *"},
    {"answers on *", "在 * 应答"},
    {"the service does not run (*); parlance up or parlance embed starts it",
     "服务未运行（*）；由 parlance up 或 parlance embed 启动"},
    {"does not run (*); parlance up starts it", "未运行（*）；由 parlance up 启动"},
    {"gives no answer on *", "在 * 没有应答"},
    {"* is down: *", "* 已停止：*"},
    {"* is not a loopback address: everyone on the network who has the token can use it",
     "* 不是回环地址：网络上持有令牌的任何人都可以使用"},
    {"* answers with status *: some other program", "* 以状态 * 应答：是其他程序"},
    {"* is used by another program (status *)", "* 被其他程序占用（状态 *）"},
    {"not installed: *, then sign in once with *", "未安装：*，然后用 * 登录一次"},
    {"not installed: *, then *", "未安装：*，然后 *"},
    {"not installed: *", "未安装：*"},
    {"no program \"*\"", "没有程序 “*”"},
    {"iFlow *, installed as *", "iFlow *，安装为 *"},
    {"iFlow, installed as *", "iFlow，安装为 *"},
    {"gateway * (*) runs * of * conversations; its lease lasts * s", "网关 *（*）运行 * 个对话，共 * 个；租约还剩 * 秒"},
    {"no memories yet", "还没有记忆"},
    {"memories: *, of people: *", "记忆：* 条，属于 * 人"},
    {"no parlance.toml; defaults, environment and flags", "没有 parlance.toml；使用默认值、环境变量和命令行参数"},
    // what to do
    {"make it yours: *, or choose another with --state", "将其归您所有：*，或用 --state 另选"},
    {"free some space: conversations are written before they are shown", "请释放空间：对话先写入磁盘再显示"},
    {"parlance begins no new one by itself, so that nothing is taken for empty", "parlance 不会自行新建，以免误当作空的"},
    {"move the file away to begin anew, or restore a copy; * reads what is left",
     "移走该文件以重新开始，或恢复备份；* 可读出剩余内容"},
    {"parlance up starts one that hangs again after some seconds; without it: stop that process and start it again",
     "parlance up 会在数秒后重新启动无响应的服务；若未使用它，请停止该进程后重新启动"},
    {"choose another path with --agent-socket, or trust that user with --agent-user",
     "用 --agent-socket 另选路径，或用 --agent-user 信任该用户"},
    {"stop what listens on *, or choose another path with --agent-socket", "停止占用 * 的程序，或用 --agent-socket 另选路径"},
    {"check the address, and that the database lets this machine and user in",
     "检查地址，以及数据库是否允许这台机器和该用户访问"},
    {"agents answer without memory until it can be read", "在能够读取之前，智能体在没有记忆的情况下回答"},
    {"what parlance up prints, and --log-level info, say more", "parlance up 的输出和 --log-level info 会给出更多信息"},
    {"stop it, or choose another port with --listen", "停止它，或用 --listen 另选端口"},
    {"stop it, or choose another port with --embed-listen; parlance up takes a free one meanwhile",
     "停止它，或用 --embed-listen 另选端口；parlance up 暂用一个空闲端口"},
    {"see what is wrong with its back end (--embed-backend)", "检查其后端（--embed-backend）"},
    {"check the address, --embed-model and the key", "检查地址、--embed-model 和密钥"},
    {"mend the table, or take it out", "修正该表，或将其删除"},
    {"install it", "请安装"},
    {"*, then sign in once with *", "*，然后用 * 登录一次"},
    {"set * or --model-key-file, or choose another server with --model-url",
     "设置 * 或 --model-key-file，或用 --model-url 另选服务器"},
    {"set *, or --model-key-file", "设置 * 或 --model-key-file"},
    {"give the API's address with --model-url", "用 --model-url 指定 API 的地址"},
    {"give one that it lists with --model-name", "用 --model-name 指定它列出的模型"},
    {"start the model's server, or give its address with --model-url", "启动模型的服务器，或用 --model-url 指定其地址"},
});

// What stands at the asterisks.
std::optional<std::vector<std::string_view>> found_in(std::string_view text, std::string_view pattern) {
  const std::vector<std::string_view> parts = split(pattern, '*');
  if (!text.starts_with(parts.front())) return std::nullopt;
  text.remove_prefix(parts.front().size());
  std::vector<std::string_view> found;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (last && !text.ends_with(parts[i])) return std::nullopt;
    const std::size_t at = last ? text.size() - parts[i].size() : text.find(parts[i]);
    if (at == std::string_view::npos) return std::nullopt;
    found.push_back(text.substr(0, at));
    text.remove_prefix(at + parts[i].size());
  }
  if (!text.empty()) return std::nullopt;
  return found;
}

}  // namespace

std::string in_chinese(std::string_view sentence) {
  for (const auto& [english, chinese] : phrases) {
    const auto found = found_in(sentence, english);
    if (!found) continue;
    std::string text;
    auto next = found->begin();
    for (const char c : chinese) {
      if (c == '*' && next != found->end()) text += *next++;
      else text += c;
    }
    return text;
  }
  return std::string(sentence);
}

}  // namespace parlance::app
