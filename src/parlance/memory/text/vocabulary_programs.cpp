// SPDX-License-Identifier: Apache-2.0
// Synonyms about programs and their development, and the kinds of all words. See vocabulary_tables.h for the notation.
#include "parlance/memory/text/vocabulary_tables.h"

namespace parlance::memory {

std::string_view same_in_programs() {
  return R"(
editor ide 编辑器 エディタ 에디터 editeur редактор
browser 浏览器 ブラウザ
operating_system os 操作系统
computer pc laptop notebook machine macbook 电脑 计算机 笔记本 笔记本电脑 机器 パソコン rechner ordinateur компьютер ноутбук
database db datastore dbms 数据库 资料库 データベース 데이터베이스 datenbank
password pass passwd pwd passphrase passcode credential credentials secret secrets 密码 口令 凭证 凭据 パスワード passwort kennwort contrasena пароль secret_key api_key
login log_in sign_in signin logon 登录 登陆 登入 ログイン anmeldung anmelden connexion ssh access log_into get_into
username user_name 用户名
token tokens 令牌
api interface endpoint endpoints 接口 端点
server servers host backend_host 服务器 主机 サーバー serveur servidor сервер
cloud hosting hosted 云 托管
network lan 网络 ネットワーク netzwerk netz reseau сеть
wifi wlan wireless 无线 无线网 无线网络
internet 互联网 因特网
website web_site webpage homepage site 网站 网页 主页
link url hyperlink 链接 网址
domain 域名
port ports 端口 порт
file files 文件 档案 ファイル datei dateien fichier archivo файл
folder directory dir folders directories 文件夹 目录 フォルダ ordner verzeichnis dossier carpeta папка
path 路径
disk drive storage ssd 磁盘 硬盘
memory_ram ram 内存
cpu processor 处理器
gpu graphics_card 显卡
code source_code source 代码 源代码 源码 コード quelltext quellcode код
repository repo repositories repos codebase 仓库 代码库 代码仓库
program application app software apps applications 程序 应用 软件 应用程序 アプリ programm anwendung logiciel приложение программа
programming coding code_in 编程 程序设计 プログラミング
developer programmer engineer dev devs 开发者 程序员 工程师 开发人员 entwickler entwicklerin developpeur разработчик
develop development 开发
project 项目 工程 プロジェクト projekt projet proyecto проект
library package_lib lib libraries 库 程序库
framework 框架 フレームワーク
function method subroutine functions 函数 方法 funktion fonction
variable variables 变量
comment comments docstring 注释
indent indentation tabs spaces tab_width 缩进 制表符 空格 whitespace
format formatting formatter style 格式 格式化 风格
lint linter linting 静态检查
naming snake_case camelcase 命名
test tests testing unit_test qa 测试 单元测试 テスト prufung тест тесты spec_tests coverage
bug bugs defect 缺陷 错误 漏洞 故障 fehler ошибка
error errors exception exceptions 错误 异常 报错 エラー fehler erreur fault faults failure
crash crashed crashes 崩溃 闪退
debug debugging debugger 调试
deploy deployment deployed deploys rollout release releases released ship shipped 部署 发布 上线 发版 デプロイ リリース ausgeliefert auslieferung bereitstellung veroffentlicht deploiement деплой релиз развертывание go_live goes_live live_on publish published
rollback revert 回滚 撤销
ci continuous_integration pipeline cicd 持续集成 流水线 builds_on
build compile compiler compilation compiled 构建 编译 编译器 ビルド
commit commits committed 提交 コミット
branch branches 分支 ブランチ
merge merged merging 合并
pull_request pr merge_request prs 合并请求 拉取请求
review reviews reviewer reviewed approve approval approved 评审 审查 审核 审批 批准 レビュー prufen four_eyes second_pair
version versions release_number 版本 バージョン versionen версия
upgrade updated update_to 升级 更新
dependency dependencies 依赖
configuration config configure setting settings configured options preferences 配置 设置 设定 参数 設定 einstellung einstellungen konfiguration parametres настройки
environment env 环境 環境
production prod live_system 生产 生产环境 线上 本番
staging preprod 预发 预发布 测试环境
backup backups back_up 备份 バックアップ sicherung sicherungen sauvegarde snapshot snapshots dump dumps
restore recover recovery 恢复 还原
migrate migration migrations 迁移
log logs logging logfile 日志 ログ
monitoring monitored observability metrics dashboard 监控 指标 alerting telemetry tracing
cache caching cached 缓存 キャッシュ
queue message_queue broker 队列 消息队列
container containers docker 容器
cluster kubernetes k8s 集群
frontend client_side 前端
backend server_side 后端
security secure 安全
permission permissions access_right authorization privilege 权限 授权
authentication auth authenticate oauth sso 认证 鉴权 身份验证
encrypt encryption encrypted cipher 加密
certificate cert tls ssl 证书
document docs documentation manual readme doc documents 文档 资料 手册 ドキュメント dokument dokumentation
requirement requirements spec specification 需求 规格
design architecture 设计 架构
issue ticket_no ticketing tracker jira 工单 问题单
task todo tasks chore 任务 待办 タスク aufgabe aufgaben tache задача
feature features functionality 功能
performance throughput latency 性能 延迟 吞吐
limit maximum max quota cap 限制 上限 最大 配额 at_most up_to no_more 最多 不超过
minimum min least 最小 最低 at_least 至少
timeout time_limit 超时
size_of filesize 大小
chat messaging messenger 聊天
message messages notification notifications notify reminder remind 消息 通知 提醒 推送 nachricht benachrichtigung сообщение
video 视频
voice audio speech 语音 声音
model llm 模型 モデル
assistant agent bot 助手 代理 智能体
answer reply respond response responses 回答 回复 答复 响应 答案
question query 问题 提问
summary summarize overview 总结 摘要 概要
translation translate 翻译 ubersetzung traduction
script scripts 脚本
terminal shell console command_line cli 终端 命令行 控制台
shortcut hotkey keybinding keyboard_shortcut keybindings 快捷键
plugin extension addon plugins extensions 插件 扩展
data dataset 数据 daten donnees данные
table tables 表
schema 结构 模式
statistics stats 统计
report reports reporting 报告 汇报
customer_support support helpdesk hotline 客服 支持
license licence licensing licensed 许可 许可证 授权协议
open_source oss 开源
number digits amount count 数量 号码 数字 nummer numero номер
identifier id 编号 标识
javascript js
typescript ts
python py
golang go_lang
postgresql postgres pg
visual_studio_code vscode vs_code
google_cloud gcp
amazon_web_services aws
github gh
rust_lang rustlang
csharp c_sharp dotnet
time 时间 时刻 时候 几点 几点钟 zeit heure hora время 時間
duration 时长 期限 多久 dauer duree
euro eur 欧元
dollar usd 美元
yuan rmb cny 人民币 元 块钱
architecture monolith microservices microservice 架构 单体 微服务
concurrency thread threads parallel async asynchronous multithreading 并发 线程 多线程 异步
algorithm algorithms 算法
string text_type utf8 unicode encoding 编码 字符集
null nil none_value undefined
pointer reference ownership
class_name object oop 对象 面向对象
generic template templates 模板 泛型
loop iteration iterate 循环 迭代
compile_error warning warnings 警告
memory_leak leak leaks 内存泄漏
refactor refactoring refactored restructure rewrite rewritten 重构 重写
legacy old_code deprecated obsolete outdated 过时 废弃 遗留
release_notes changelog 更新日志 变更日志
semantic_versioning semver
tag tags label labels 标签
clone fork checkout
push pushed pull 推送 拉取
rebase squash
hook hooks webhook webhooks 钩子
cron crontab scheduled_job scheduler nightly 定时 定时任务
rate throttle throttling rate_limit 限流 频率
retry retries try_again attempts 重试
proxy reverse_proxy nginx load_balancer gateway 代理 网关 负载均衡
firewall vpn bastion 防火墙
dns nameserver 域名解析
ip ip_address 地址段
http https rest 协议
json yaml toml xml csv
serialize serialization protobuf marshalling 序列化
orm sql query_language
join joins foreign_key 外键 关联
index indexes indices 索引
replica replication replicas standby failover 副本 主从 复制
shard sharding partition partitions 分片 分区
transaction transactions commit_to 事务
object_storage s3 bucket buckets 对象存储
image images picture 镜像 图像
registry artifact artifacts 制品
secret_store vault keychain keyring 密钥 密钥库
session sessions cookie cookies 会话
role roles admin administrator root superuser 管理员 角色
audit compliance gdpr privacy 审计 合规 隐私
incident outage downtime postmortem 事故 故障 宕机
on_call oncall duty rotation rota 值班 轮值
sla uptime availability_target 可用性
roadmap milestone milestones sprint iteration_plan 路线图 里程碑 冲刺 迭代
estimate estimation story_points 估算
stakeholder sponsor
specification rfc standard 标准 规范
prototype mvp proof_of demo 原型 演示
presentation slides talk_about keynote 演讲 幻灯片
spreadsheet excel sheet 电子表格 表格
word_document docx pdf
signature sign signed 签名 签字
template_file boilerplate 模板
draft 草稿
bold italic heading
dark_mode night_theme dark_theme 夜间模式 深色模式
zoom_level scale scaling 缩放
tab tabs 标签页
cursor caret 光标
clipboard copy paste 剪贴板 复制 粘贴
undo redo 撤销
autocomplete completion suggestions 补全 自动补全
spell_check spelling grammar 拼写 语法
emoji emojis emoticon 表情
tone polite formal informal casual friendly 语气 礼貌 正式
greeting greet salutation address_as 问候 称呼
pronoun pronouns
joke humour humor funny 笑话 幽默
)";
}

std::string_view kinds_of_things() {
  return R"(
color red blue green yellow black white gray orange purple pink brown turquoise teal navy 红色 蓝色 绿色 黄色 黑色 白色 cyan magenta beige crimson maroon indigo gold silver 青色 金色 银色
editor vim neovim emacs vscode sublime intellij helix jetbrains zed pycharm webstorm
browser firefox chrome safari chromium brave opera
operating_system linux ubuntu debian fedora windows macos android ios
database postgresql mysql mariadb sqlite mongodb redis oracle cassandra dynamodb clickhouse elasticsearch
programming python javascript typescript golang rust java kotlin ruby php swift haskell scala csharp cpp lua elixir
language python javascript typescript rust java kotlin ruby php swift haskell scala english chinese german french spanish japanese korean italian portuguese russian dutch swedish polish turkish arabic hindi vietnamese 俄语 韩语 意大利语
framework react vue angular svelte django flask fastapi rails laravel nextjs
pet cat dog bird hamster rabbit fish parrot turtle retriever poodle labrador terrier beagle dachshund corgi husky 金毛 柯基 哈士奇 泰迪 兔子 仓鼠 乌龟
sport soccer basketball tennis swim run_jog hike yoga bicycle volleyball badminton golf skiing climbing 篮球 羽毛球 乒乓球 网球 hockey rugby cricket boxing judo karate surfing rowing 排球 滑雪 拳击
family wife child mother father sister brother grandmother grandfather
drink coffee tea beer wine water juice milk 果汁 牛奶
hobby guitar piano chess photo hike swim bicycle painting gardening knitting fishing 画画 钓鱼
car tesla bmw toyota volkswagen audi ford honda volvo mercedes 特斯拉 skoda opel renault peugeot citroen fiat nissan mazda hyundai kia subaru porsche suv sedan 奔驰 宝马 奥迪 大众 丰田 本田 比亚迪
meal breakfast lunch dinner pizza pasta sushi noodles rice salad soup 火锅 面条 米饭 饺子
cloud amazon_web_services google_cloud azure hetzner digitalocean 阿里云 腾讯云
terminal bash zsh fish powershell tmux iterm alacritty kitty
chat slack discord telegram whatsapp wechat 微信 钉钉 飞书
city berlin london paris tokyo beijing shanghai hangzhou shenzhen new_york munich vienna 广州 成都 南京 武汉 西安 hamburg cologne frankfurt zurich madrid barcelona lisbon rome milan amsterdam brussels prague warsaw budapest copenhagen stockholm oslo helsinki dublin moscow istanbul dubai singapore seoul sydney chicago boston seattle toronto
country germany france china japan america england italy spain canada 韩国 意大利 加拿大 austria switzerland poland sweden norway denmark netherlands belgium portugal greece turkey russia india brazil mexico australia korea
computer macbook thinkpad dell lenovo
phone iphone android samsung 苹果 华为 小米
font consolas menlo monaco helvetica arial jetbrains_mono fira_code
license mit apache gpl bsd agpl
ci jenkins github_actions gitlab_ci circleci
issue jira
video zoom youtube
test pytest jest googletest junit vitest cypress playwright
music jazz rock classical pop techno 爵士 摇滚 古典
fruit apple banana strawberry mango cherry 苹果 香蕉 orange pear grape peach pineapple lemon melon 葡萄 橙子 西瓜 草莓
allergy peanut nuts pollen lactose gluten shellfish 花生 海鲜 花粉
instrument guitar piano violin drums
time minute clock morning noon afternoon evening
date month year january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
duration minute clock week month year
cost euro dollar yuan
salary euro dollar yuan
version_control git gitlab github subversion mercurial bitbucket
eat breakfast lunch dinner vegetarian allergy
programming python javascript typescript
relative wife child mother father sister brother cousin uncle aunt nephew niece 叔叔 阿姨 表哥 表姐 堂哥
health allergy ill pain medicine doctor diabetes asthma 糖尿病 哮喘 高血压
income salary bonus
communication email phone chat
weekday monday tuesday wednesday thursday friday
month january february march april june july august september october november december
day monday tuesday wednesday thursday friday saturday sunday
shop supermarket bakery grocery mall 超市 商店 面包店
building_tool cmake bazel ninja make gradle maven webpack vite
package npm pnpm yarn pip cargo apt homebrew
log grafana prometheus kibana
container docker podman
queue kafka rabbitmq nats
test pytest jest gtest googletest catch2 mocha
food bread meat fish rice pizza nuts seafood
illness diabetes asthma migraine
relative sibling parent grandmother grandfather
bank loan savings
season summer winter autumn spring_time 夏天 冬天 秋天 春天
instrument flute trumpet cello saxophone 小提琴 钢琴 吉他
hobby hike dance sing cook read photography chess yoga ski fishing garden_work tent
ill diabetes asthma migraine
drink tea coffee milk water
)";
}

}  // namespace parlance::memory
