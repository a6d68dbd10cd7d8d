// SPDX-License-Identifier: Apache-2.0
// Words by weight. See vocabulary_tables.h for the notation. Words with meanings are in vocabulary_life.cpp and
// vocabulary_programs.cpp.
#include "parlance/memory/text/vocabulary_tables.h"

namespace parlance::memory {
namespace {

constexpr std::string_view fillers = R"(
a about all also am an and any are as at be been being but by can could d did do does doing done for from had has have having
he her hers him his how i if in into is it its just ll m may me might mine must my no not of off on onto or our ours out over
please re s shall she should so some such t than that the their theirs them then there these they this those to too up us ve
very was we were what whatever when where whether which while who whom whose why will with without would yes you your yours
again am_i anyone anything both each either else ever every everyone everything here however maybe nor now ok okay only really
since still though thus until via within yet der die das den dem des ein eine einen einem einer und oder ist sind war ich wir
sie er es mein meine mit von zu zum zur auf fur im wie wann welche welcher welches nicht auch le la les un une du et ou est
sont je nous vous il elle ils mon ma mes avec pour dans sur quel quelle qui que ce cette au aux el los las una y o son yo mi
mis con para por en cual como su sus del al de 我们 你们 他们 她们 咱们 什么 怎么 怎样 怎么样 如何 为什么 为何 哪里 哪儿 哪个
哪些 哪一个 过 地 得 及 或 或者 还是 以及 而 但 但是 因为 所以 如果 非常 太 更 最 将 到 对 向 于 以 为 给 这个 那个 这些 那些
这里 那里 个 一个 一下 多少 几 几个 请问 告诉 知道 可以 应该 没有 不是 是不是 有没有 之 其 并 等 里 里面 上 下 中 时 时候 之前
之后 以后 以前 什么时候 多久 多大 は が を に へ で と も の や から まで より です ます した して する いる ある ない か ね
よ この その あの 何 私 僕 ました ください は何 どこ いつ だれ 誰 은 는 이 가 을 를 의 에 에서 도 와 과 나 저 우리 무엇 뭐
어디 언제 누구 он она они мы вы это как что где когда кто какой какая какие на по для или не наш мой его ее их был была быть
ли же из при от до у к о с и в я hat haben wird werden sein kann muss ihr ihre seine bei aus nach uber unter unser unsere dein
wer wo warum kein keine dass als nur noch da
)";

constexpr std::string_view particles = R"(
的 了 吗 呢 吧 啊 呀 嘛 着 我 你 您 他 她 它 是 在 和 与 也 都 就 很 谁 哪 这 那 不 没 从 把 被 请 让 跟 又 还 会 能 有 要
)";

constexpr std::string_view faint = R"(
use used uses using user users need needs want wants get gets got make makes made let lets go goes going gone went come comes
came thing things stuff kind kinds type types sort sorts way ways find found take takes took taken give gives gave given help
show shows see seen saw look looks looking tell told say says said ask asked know known knows think thought put puts keep kept
keeps set sets try tried day days always usually often never sometimes currently today much many lot lots more most less few
other others another same new old good best better well big large small long short first last next one two ones people person
someone somebody something everybody happen happens happened work works working call called calls run runs like likes liked
remember note notes info information detail details question answer please_tell anything able done main current right exactly
actually around between after before during because per according again time times team 用户 使用 用 用的 需要 想 想要 东西
事情 情况 方式 种 类型 做 看 说 找 放 来 去 目前 现在 通常 一般 总是 经常 每 每个 大家 人 关于 有关 相关 信息 问题 记得 帮
帮我 谁的 哪种 哪一种 什么样 习惯 进行 属于 叫 叫做 这种 一种 一些 新 好 大 小 多 少 年 月 日 号 使う 使用する もの こと
)";

constexpr std::string_view chinese = R"(
公司 工作 同事 部门 经理 客户 会议室 办公室 办公 电脑 屏幕 键盘 鼠标 耳机 显示器 打印机 充电 充电器 电池 网络 网速 系统 服务
接口 前端 后端 代码 代码库 函数 变量 类 模块 组件 库 框架 脚本 命令 命令行 终端 窗口 按钮 菜单 页面 网站 网页 链接 缩进 空格
制表符 注释 格式 风格 规范 命名 分支 主分支 合并 提交 评审 审查 发布 部署 上线 回滚 构建 编译 打包 测试 单元测试 集成测试 性能
内存 磁盘 硬盘 处理器 线程 进程 缓存 队列 日志 监控 报警 告警 错误 异常 崩溃 修复 漏洞 安全 权限 认证 授权 令牌 密钥 证书 加密
备份 恢复 迁移 升级 降级 依赖 环境 生产环境 测试环境 开发环境 容器 镜像 集群 节点 域名 端口 地址 数据 表 字段 索引 查询 事务
主键 架构 设计 方案 需求 文档 计划 进度 截止 截止日期 周报 日报 汇报 讨论 决定 预算 合同 发票 报销 工资 奖金 价格 费用 成本
付款 银行 账户 信用卡 保险 税 房租 房子 公寓 租房 搬家 装修 厨房 客厅 卧室 卫生间 阳台 花园 学校 大学 老师 学生 学习 考试 课程
作业 专业 毕业 语言 英语 英文 中文 日语 法语 德语 医院 医生 牙医 药 过敏 花生 海鲜 牛奶 鸡蛋 身体 健康 运动 跑步 游泳 健身
篮球 足球 羽毛球 乒乓球 瑜伽 爬山 骑车 自行车 汽车 火车 高铁 飞机 航班 机票 车票 地铁 公交 公交车 开车 停车 停车场 车位 钥匙
门 门禁 旅行 旅游 酒店 签证 护照 行李 北京 上海 广州 深圳 杭州 成都 南京 武汉 西安 香港 台湾 台北 东京 纽约 伦敦 巴黎 柏林
中国 日本 美国 德国 法国 英国 韩国 天气 下雨 早餐 早饭 午餐 午饭 晚餐 晚饭 餐厅 饭店 餐馆 菜 火锅 面条 米饭 水果 苹果 香蕉
蔬菜 牛肉 猪肉 鸡肉 羊肉 鱼 辣 辣的 甜 素食 茶 绿茶 咖啡 啤酒 果汁 蛋糕 音乐 歌 电影 电视 电视剧 游戏 小说 书 书架 照片 相机
摄影 画画 吉他 钢琴 猫 狗 宠物 名字 生日 年龄 生肖 星座 结婚 纪念日 周年 礼物 节日 春节 国庆 中秋 假期 年假 请假 加班 出差
通勤 睡觉 起床 闹钟 每周 每月 每年 每天 星期 周末 工作日 今天 明天 昨天 早上 上午 中午 下午 晚上 半夜 凌晨 小时 分钟 秒 邮件
快递 包裹 手机 手机号 手机号码 号码 微信 聊天 群 消息 通知 语音 视频 直播 软件 硬件 应用 程序 工具 插件 扩展 版本 最新 稳定
模型 训练 算法 人工智能 机器学习 翻译 字体 字号 布局 界面 图标 设备 型号 品牌 衣服 鞋 鞋码 尺码 眼镜 手表 家 家里 老家 邻居
朋友 同学 亲戚 医保 社保 公积金 时间 空间 中心 大理 小时候 说明 使用说明 用途 地区 地铁站 过程 对象 对话 会员 能力 重要 主要
有效 上级 下属 里程 大学生 小区 小组 号码牌 年度 月度 日程 日志文件 新手 好处 看法 放假 来源 去年 今年 明年 上周 下周 本周
上个月 下个月 这周 长度 宽度 高度 身高 体重 血型 血压 心情 目的 目标 原因 结果 步骤 流程 顺序 优先级 状态 进展 风险 质量 标准
指标 规模 范围 频率 周期 时长 期限 时区 比例 单位 币种 汇率 利率 贷款 房贷 车贷 学费 押金 定金 余额 收入 支出 利润 股票 基金
投资 保修 售后 客服 订单 商品 库存 物流 供应商 合作 伙伴 团队 成员 组长 总监 实习 面试 招聘 入职 离职 培训 绩效 考核 晋升
会议记录 纪要 议程 演讲 幻灯片 表格 图表 报表 附件 模板 签名 盖章 审计 法务 财务 人事 行政 运维 产品 产品经理 设计师 前台 楼层
电梯 食堂 午休 健身房 图书馆 超市 商店 银行卡 身份证 驾照 社区 医保卡 疫苗 体检 手术 处方 剂量 症状 感冒 发烧 咳嗽 头痛 失眠
糖尿病 高血压 哮喘
)";

constexpr std::string_view traditional =
    "設資訊據庫碼優縮編輯語預選項號電腦開發測試環務員機構網絡統計劃類別對時間會議說話請問題應該為麼這個們過還沒從來後裡邊關於"
    "國際業實現動態樣變數檔鍵盤標圖書館學習經驗車飛場證護價錢單買賣歡愛聽讀寫畫歲聯繫達遠進運轉軟體觸雲雙門雜難順風飯廳鐘錶點"
    "線紅綠藍黃顏貓魚鳥馬記憶頁簡導覽輸處備複給總結終確認讓權連節幫鍾長東樂藥醫龍雞貝鐵麵讚壞舊熱";

constexpr std::string_view simplified =
    "设资讯据库码优缩编辑语预选项号电脑开发测试环务员机构网络统计划类别对时间会议说话请问题应该为么这个们过还没从来后里边关于"
    "国际业实现动态样变数档键盘标图书馆学习经验车飞场证护价钱单买卖欢爱听读写画岁联系达远进运转软体触云双门杂难顺风饭厅钟表点"
    "线红绿蓝黄颜猫鱼鸟马记忆页简导览输处备复给总结终确认让权连节帮钟长东乐药医龙鸡贝铁面赞坏旧热";

}  // namespace

const VocabularyTables& vocabulary_tables() {
  static const VocabularyTables tables{.fillers = fillers,
                                       .particles = particles,
                                       .faint = faint,
                                       .chinese = chinese,
                                       .same = {same_in_life(), same_in_programs()},
                                       .kinds = kinds_of_things(),
                                       .traditional = traditional,
                                       .simplified = simplified};
  return tables;
}

}  // namespace parlance::memory
